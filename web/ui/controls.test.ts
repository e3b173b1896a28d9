import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { themeColors } from '../theme/theme.ts';
import { createTypeahead } from './typeahead.ts';

const luminance = (channels: number[]): number =>
  channels.reduce((sum, channel, i) => sum + channel * [0.2126, 0.7152, 0.0722][i]!, 0);

/** The linear channels of a colour like `#1a1614`. */
const linearOfHex = (hex: string): number[] =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });

/** The linear channels of a colour like `oklch(.62 .1 40)`, clipped to sRGB. */
function linearOfOklch(colour: string): number[] {
  const [lightness, chroma, hue] = [...colour.matchAll(/[\d.]+/g)].map(Number) as [number, number, number];
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3;
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3;
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3;
  return [
    4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
    -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
}

test('every tile of a face stands out from both themes, whose colour the browser’s bars have, and its letter from it', () => {
  const styles = readFileSync(new URL('./face.module.css', import.meta.url), 'utf8');
  const [, colour] = /background: (oklch\(.*) var\(--hue\)/.exec(styles)!;
  const hues = [...styles.matchAll(/--hue: ([\d.]+);/g)].map(([, hue]) => Number(hue));
  assert.equal(new Set(hues).size, 16);
  for (const [theme, ground] of Object.entries(themeColors)) {
    const css = readFileSync(new URL(`../theme/${theme}.css`, import.meta.url), 'utf8');
    assert.equal(/--ground: (#\w+);/.exec(css)?.[1], ground);
    for (const hue of hues) {
      const tile = luminance(linearOfOklch(`${colour} ${hue})`));
      const contrast = (other: number) => (Math.max(tile, other) + 0.05) / (Math.min(tile, other) + 0.05);
      const [fromGround, fromLetter] = [contrast(luminance(linearOfHex(ground))), contrast(1)];
      assert.ok(fromGround >= 3 && fromLetter >= 4.5, `${hue} on ${theme}: ${fromGround}, ${fromLetter}`);
    }
  }
});

test('typed letters find a name; typed quickly they count together, and the same letter goes through its names', () => {
  const names = ['Новые', 'Понравившиеся', 'Мои записи', 'Мои ответы'];
  for (const [letters, pause, from, found] of [
    ['м', 500, -1, ['Мои записи']],
    ['П', 500, -1, ['Понравившиеся']],
    ['ммм', 500, 0, ['Мои записи', 'Мои ответы', 'Мои записи']],
    ['ммм', 20, 0, ['Мои записи', 'Мои ответы', 'Мои записи']],
    ['мои о', 20, -1, [...Array(4).fill('Мои записи'), 'Мои ответы']],
    ['мо', 20, 2, ['Мои ответы', 'Мои ответы']],
    ['мп', 350, -1, ['Мои записи', 'Понравившиеся']],
    ['мя', 20, -1, ['Мои записи', undefined]],
  ] as const) {
    const typeahead = createTypeahead(350);
    let current: number = from;
    const all = [...letters].map((key, index) => {
      const place = typeahead.type(key, { at: index * pause, names, current });
      if (place >= 0) current = place;
      return names[place];
    });
    assert.deepEqual(all, found, letters);
    const end = (letters.length - 1) * pause + 350;
    assert.deepEqual([end - 1, end].map(typeahead.isTyping), [true, false]);
  }
});
