// Nothing: what an import takes by itself (in-chromium.mjs).
