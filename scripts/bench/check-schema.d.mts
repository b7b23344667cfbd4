export function faultsOf(value: unknown, schema: object): string[];
