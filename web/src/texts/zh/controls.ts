export const controls: Readonly<Record<string, string>> = {};
