import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { themeColors, type Theme } from './theme.ts';

for (const theme of ['dark', 'light'] satisfies Theme[]) {
  test(`the browser's bars have the colour of the ${theme} page`, async () => {
    const css = await readFile(new URL(`${theme}.css`, import.meta.url), 'utf8');
    assert.equal(/--ground: (#\w+);/.exec(css)?.[1], themeColors[theme]);
  });
}
