// What goes wrong without an error when a file's tensors are used: said in words beside their pictures.
import type { ModelConfig } from 'posenc/config';
import { t } from '../lib/language.js';
import type { Found } from './header.js';
import type { Wavelengths } from './biases.js';

/** A whole number of a config, at its top or in its text part. */
export function numberIn(config: ModelConfig | undefined, ...names: readonly string[]): number | undefined {
  const parts = [config, config?.['text_config']] as (ModelConfig | undefined)[];
  for (const part of parts) {
    for (const name of names) if (typeof part?.[name] === 'number') return part[name] as number;
  }
  return undefined;
}

/** Tables with rows in front of position 0, or of another length than the config says. */
export function rowTraps({ name }: Found, rows: number, config: ModelConfig | undefined): string[] {
  const said = numberIn(config, 'max_position_embeddings', 'n_positions');
  const traps: string[] = [];
  if (rows % 64 === 2) {
    traps.push(t('{0} rows, two more than a round number: models such as OPT, BART and RoBERTa begin at row 2. Used from row 0, every token stands two places off.', rows));
  }
  if (said !== undefined && rows !== said && rows !== said + 2 && !/rel_pos|distance|rel_embeddings/.test(name)) {
    traps.push(t('The config says {0} positions, the table has {1} rows: one of the two is not of this model.', said, rows));
  }
  return traps;
}

export function frequencyTraps({ base, plain }: Wavelengths, config: ModelConfig | undefined): string[] {
  const said = numberIn(config, 'rope_theta', 'rotary_emb_base', 'rope_base');
  const traps: string[] = [];
  if (plain && said !== undefined && Math.abs(said / base - 1) > 0.02) {
    traps.push(t('The frequencies are powers of base {0}, the config says {1}: with the wrong one, far tokens are misplaced and near ones look right.', Math.round(base), said));
  }
  if (!plain) traps.push(t('The frequencies are not powers of one base: a scaling has been applied to them already. Applied again, it would count twice.'));
  return traps;
}
