export function memoryLimits(bytes: number): { fill(): void; read(): number; copy(): void };
