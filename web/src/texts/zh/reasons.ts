// Why an encoding is recommended, and what has to be minded.
export const reasons: Readonly<Record<string, string>> = {
};
