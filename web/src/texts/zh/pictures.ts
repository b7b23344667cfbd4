export const pictures: Readonly<Record<string, string>> = {};
