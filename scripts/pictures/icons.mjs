import { colours, mark } from './bricks.mjs';

const side = 512;
const { graphite, brick } = colours;

function icon(corner, markWidth) {
  const plate = `<rect width="${side}" height="${side}" rx="${corner}" fill="${graphite}"/>`;
  const bricks = mark({ x: side / 2, y: side / 2, width: markWidth, fill: brick });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${plate}${bricks}</svg>`;
}

/** As large as possible, because it is shown at 16 pixels. The background makes it visible on light and dark tabs. */
export const favicon = icon(96, 416);

/** For systems that show the icon without a mask. */
export const framed = icon(112, 340);

/** For systems that apply a mask: the content is within the central circle of 80 %. */
export const fullBleed = icon(0, 300);
