// LaTeX → MathML, when the site is built: the pages load no typesetting code and no fonts.
import temml from 'temml';

/**
 * MathML of a formula. Inline styles, which the pages' content security policy refuses, become `data-style`
 * for src/lib/markup.ts to apply. Formulas within a line come in parts, between which the line may break.
 */
export function renderMath(latex: string, display: boolean): string {
  const math = temml.renderToString(latex, { displayMode: display, wrap: display ? 'none' : 'tex', throwOnError: true, strict: true });
  return math.replaceAll(/ style="display:block math;"/g, '').replaceAll(' style="', ' data-style="');
}
