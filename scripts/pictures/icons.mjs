import { colours, mark } from './bricks.mjs';

const side = 512;
const { graphite, brick } = colours;

function icon(corner, markWidth) {
  const plate = `<rect width="${side}" height="${side}" rx="${corner}" fill="${graphite}"/>`;
  const bricks = mark({ x: side / 2, y: side / 2, width: markWidth, fill: brick });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${plate}${bricks}</svg>`;
}

/** Seen at 16 pixels: as large as it can be. Its plate carries it on light and dark tabs alike. */
export const favicon = icon(96, 416);

/** Shown as it is. */
export const framed = icon(112, 340);

/** The system cuts its own shape out of it: all that matters lies in the middle circle of 80 %. */
export const fullBleed = icon(0, 300);
