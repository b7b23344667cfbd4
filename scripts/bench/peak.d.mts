export const accepts: { simd(): boolean; relaxed(): boolean };
export function multiplyAdds(isFused: boolean): { run(times: number): number; flops: number } | undefined;
