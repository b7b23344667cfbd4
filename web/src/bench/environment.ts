// What is known of the device, without asking anybody.
import { t } from '../lib/language.js';
import type { Environment } from './messages.js';

interface Hints {
  deviceMemory?: number;
  userAgentData?: { platform: string; brands: readonly { brand: string; version: string }[] };
}

export function describeDevice(found: Environment | undefined): [string, string][] {
  const { deviceMemory, userAgentData } = navigator as Navigator & Hints;
  const brands = userAgentData?.brands.filter(({ brand }) => !/not.?a/i.test(brand)).map(({ brand, version }) => `${brand} ${version}`);
  const facts: [string, string | undefined][] = [
    ['Browser', brands?.length ? brands.join(', ') : navigator.userAgent],
    ['Platform', userAgentData?.platform ?? navigator.platform],
    ['Logical processors', String(navigator.hardwareConcurrency)],
    ['Memory', deviceMemory === undefined ? undefined : t('{0} GB or more', deviceMemory)],
    ['Isolated', crossOriginIsolated ? t('yes: a fine clock') : t('no: the clock is coarse')],
    ['Step of the clock', found && `${(1000 * found.clock).toFixed(1)} \u00b5s`],
    ['posenc', found && t('{0}, build {1}', found.version, found.variant)],
    ['Date', new Date().toISOString().slice(0, 16).replace('T', ' ')],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}
