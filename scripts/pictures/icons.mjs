import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.mjs';
import { colours, mark } from './bricks.mjs';

const headLength = 22;

/** An .ico file that contains one PNG, for programs that request only /favicon.ico. */
export function icoOf(png, side) {
  const head = Buffer.alloc(headLength);
  head.writeUInt16LE(1, 2); // Type: icon
  head.writeUInt16LE(1, 4); // Number of images
  head.writeUInt8(side, 6);
  head.writeUInt8(side, 7);
  head.writeUInt16LE(1, 10); // Color planes
  head.writeUInt16LE(32, 12); // Bits per pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(headLength, 18);
  return Buffer.concat([head, png]);
}

const side = 512;
const { graphite, brick } = colours;

function icon(corner, markWidth, above = '') {
  const plate = `<rect width="${side}" height="${side}" rx="${corner}" fill="${graphite}"/>`;
  const bricks = mark({ x: side / 2, y: side / 2, width: markWidth, fill: brick });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${plate}${bricks}${above}</svg>`;
}

/** As large as possible, because it is shown at 16 pixels. The background makes it visible on light and dark tabs. */
export const favicon = icon(96, 416);

/** The dot has a border: without one it would flow together with the bricks. */
export const faviconUnread = icon(
  96,
  416,
  `<circle cx="384" cy="128" r="112" fill="#fff" stroke="${graphite}" stroke-width="32"/>`,
);

/** For systems that show the icon without a mask. */
export const framed = icon(112, 340);

/** For systems that apply a mask: the content is within the central circle of 80 % of the width. */
export const fullBleed = icon(0, 300);

/** The icons of the interface for the shortcuts of an installed wall, each on a disc, because some systems apply no mask. */
export function shortcut(name) {
  const icons = readFileSync(join(root, 'web/ui/icon.tsx'), 'utf8');
  const [, path] = new RegExp(`\\b${name}:\\s+'([^']+)'`).exec(icons);
  const disc = `<circle cx="24" cy="24" r="24" fill="${graphite}"/>`;
  const lines = `<path d="${path}" transform="translate(12 12)" fill="none" stroke="${brick}" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${disc}${lines}</svg>`;
}
