// What the catalogue says of encodings and options.
export const catalogue: Readonly<Record<string, string>> = {};
