// A model's config.json → the encodings that fromConfig makes for it.

export function modelConfig(one, { posenc, fromConfig }) {
  const { config, expect, expectLayout } = one.params;
  const model = fromConfig(posenc, config);
  try {
    const ids = new Set(model.encodings.map(({ id }) => id));
    const missing = expect.filter((id) => !ids.has(id));
    if (missing.length > 0) one.fail(`encodings ${[...ids].join(', ')}, expected ${expect.join(', ')}`);
    if (expectLayout === undefined) return;
    const layouts = new Set(model.towers.flatMap((tower) => tower.groups.map(({ layout }) => layout)));
    if (!layouts.has(expectLayout)) one.fail(`layout ${[...layouts].join(', ')}, expected ${expectLayout}`);
    // What the group says has to be what its encoding does.
    const made = model.encodings.filter(({ family }) => family === 'rotary').map(({ options }) => options.layout);
    if (!made.includes(expectLayout))
      one.fail(`encodings made with layout ${made.join(', ')}, expected ${expectLayout}`);
  } finally {
    model.dispose();
  }
}
