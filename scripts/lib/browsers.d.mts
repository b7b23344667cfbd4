export function chromium(): string | undefined;
export function firefox(): string | undefined;
export function webkit(): { driver: string; browser: string; display: string } | undefined;
