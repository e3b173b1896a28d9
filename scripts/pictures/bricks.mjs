export const colours = { graphite: '#1a1614', paper: '#f9f6f1', brick: '#ef774b' };

/** A brick with its center at x and y. */
export function brick({ x, y, width, height, fill }) {
  const corner = round(Math.min(width, height) * 0.11);
  const [left, top] = [round(x - width / 2), round(y - height / 2)];
  return `<rect x="${left}" y="${top}" width="${round(width)}" height="${round(height)}" rx="${corner}" fill="${fill}"/>`;
}

/** The logo: three equal bricks, one above the joint of the other two. */
export function mark({ x, y, width, fill }) {
  const joint = width * 0.07;
  const size = { width: (width - joint) / 2, height: width * 0.3, fill };
  const side = (size.width + joint) / 2;
  const row = (size.height + joint) / 2;
  return [
    brick({ x, y: y - row, ...size }),
    brick({ x: x - side, y: y + row, ...size }),
    brick({ x: x + side, y: y + row, ...size }),
  ].join('');
}

export const round = (number) => Math.round(number * 100) / 100;
