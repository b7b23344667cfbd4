export function mergeReports(reports: readonly object[]): string;
export function writeInto(text: string, tables: string): string;
