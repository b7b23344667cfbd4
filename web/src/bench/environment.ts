// What is known of the device, without asking anybody.
import type { Host } from './results.js';

interface Brand {
  brand: string;
  version: string;
}
interface Hints {
  deviceMemory?: number;
  userAgentData?: {
    platform: string;
    brands: readonly Brand[];
    getHighEntropyValues(names: readonly string[]): Promise<{ architecture?: string; bitness?: string; platformVersion?: string; fullVersionList?: readonly Brand[] }>;
  };
  getBattery?(): Promise<{ charging: boolean }>;
}

const isReal = ({ brand }: Brand): boolean => !/not.?a|^chromium$/i.test(brand);
// The first that fits: Android's web views say Version and Chrome, and every WebKit calls itself Safari.
const engines: readonly (readonly [RegExp, string])[] = [
  [/Firefox\/([\d.]+)/, 'Firefox'],
  [/Chrome\/([\d.]+)/, 'Chromium'],
  [/Linux.*Version\/([\d.]+).*Safari/, 'WebKitGTK'],
  [/Version\/([\d.]+).*Safari/, 'Safari'],
];

function browserOf(brands: readonly Brand[] | undefined): string {
  const brand = brands?.find(isReal) ?? brands?.find(({ brand: name }) => name === 'Chromium');
  if (brand) return `${brand.brand} ${brand.version}`;
  for (const [pattern, name] of engines) {
    const version = pattern.exec(navigator.userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return navigator.userAgent;
}

/** Hints come where the browser offers them. */
export async function describeHost(): Promise<Host> {
  const { deviceMemory, userAgentData, getBattery } = navigator as Navigator & Hints;
  const more = await userAgentData?.getHighEntropyValues(['architecture', 'bitness', 'platformVersion', 'fullVersionList']).catch(() => undefined);
  const battery = await getBattery?.call(navigator).catch(() => undefined);
  const platform = userAgentData?.platform || navigator.platform;
  const browser = browserOf(more?.fullVersionList ?? userAgentData?.brands);
  return {
    title: `${browser}, ${platform}`,
    agent: navigator.userAgent,
    platform: [platform, more?.platformVersion].filter(Boolean).join(' '),
    ...(more?.architecture ? { architecture: [more.architecture, more.bitness].filter(Boolean).join(' ') } : {}),
    processors: navigator.hardwareConcurrency,
    ...(deviceMemory === undefined ? {} : { memory: deviceMemory }),
    isolated: crossOriginIsolated,
    ...(battery ? { onBattery: !battery.charging } : {}),
  };
}
