export function mergeReports(reports: readonly object[]): string;
