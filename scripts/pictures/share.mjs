import { brick, colours, round } from './bricks.mjs';

export const size = { width: 1200, height: 630 };

const pitch = { x: 208, y: 126 };
const joint = 12;
const middle = { x: size.width / 2, y: size.height / 2 };

/** A dark brick wall: every brick is a post, and three of them are the logo. */
export function sharePicture() {
  const ground = `<rect width="${size.width}" height="${size.height}" fill="#120f0d"/>`;
  const bricks = [-3, -2, -1, 0, 1, 2].flatMap((row) => rowOf(row).map((column) => post(row, column)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}">${ground}${bricks.join('')}</svg>`;
}

/** Rows -1 and 0 meet in the center of the picture. Every second row is offset by half a brick. */
const rowOf = (row) => (row % 2 === 0 ? [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5] : [-3, -2, -1, 0, 1, 2, 3]);

function post(row, column) {
  const x = middle.x + column * pitch.x;
  const y = middle.y + (row + 0.5) * pitch.y;
  const marked = (row === -1 && column === 0) || (row === 0 && Math.abs(column) === 0.5);
  const light = lightAt(x, y) + variation(row, column);
  const fill = marked ? colours.brick : `oklch(${round(light)} 0.011 55)`;
  const ink = marked ? colours.paper : `oklch(${round(light + 0.13)} 0.014 70)`;
  const width = pitch.x - joint;
  const height = pitch.y - joint;
  return brick({ x, y, width, height, fill }) + lines(row, column, x - width / 2, y, ink);
}

/** Lightness of a brick: highest in the center of the picture. */
function lightAt(x, y) {
  const distance = Math.hypot((x - middle.x) / middle.x, (y - middle.y) / middle.y);
  return 0.325 - 0.095 * Math.min(1.05, distance);
}

/** Bars that suggest lines of text. */
function lines(row, column, left, y, ink) {
  const lengths = [[112, 64], [136], [88, 124], [120, 40], [72]][index(row, column) % 5];
  const first = y - (lengths.length - 1) * 11;
  return lengths
    .map(
      (length, i) =>
        `<rect x="${round(left + 28)}" y="${round(first + i * 22 - 4)}" width="${length}" height="8" rx="4" fill="${ink}"/>`,
    )
    .join('');
}

const variation = (row, column) => ((index(row, column) % 7) - 3) * 0.006;

/** A number that differs between neighbors. */
const index = (row, column) => Math.abs(Math.round(column * 2) * 31 + row * 17 + 120);
