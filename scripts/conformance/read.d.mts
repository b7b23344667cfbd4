import type { Case } from './api.mjs';

export function readCases(file: string, bytes: Uint8Array): Promise<Case[] | undefined>;
