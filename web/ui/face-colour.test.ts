import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faceColour } from './face-colour.ts';

const grounds = { dark: '#1a1614', light: '#f9f6f1' };

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

test('every hue of a face has a contrast of at least 3:1 on both themes', () => {
  for (const [theme, ground] of Object.entries(grounds)) {
    for (let hue = 0; hue < 360; hue += 22.5) {
      const [one, other] = [luminance(linearOfHex(ground)), luminance(linearOfOklch(faceColour(hue)))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      assert.ok(contrast >= 3, `${hue} on ${theme}: ${contrast}`);
    }
  }
});
