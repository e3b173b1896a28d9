import { useEffect } from 'react';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { call } from '../../lib/api.ts';
import { nameOf } from '../../lib/client-settings.ts';

type Sign = Required<Pick<WallAdmin['settings'], 'name' | 'line' | 'mark'>>;

const ink = '#f9f6f1';
const quiet = '#b8aea4';
const font = (size: number, weight = 400) => `${weight} ${size}px system-ui, sans-serif`;

/**
 * Draws the share picture and the icon of the wall for the server, which has no fonts. Does nothing if the wall has no sign or the
 * server already has the pictures (`areStored`). After a failure the wall shows bricks until the next visit of this page.
 */
export function useStoredPictures({ name, line, mark = '' }: WallAdmin['settings'], areStored: boolean): void {
  useEffect(() => {
    if (!areStored && (nameOf({ appName: name }) || line || mark))
      void storePictures({ name, line, mark }).catch(() => {});
  }, [areStored, name, line, mark]);
}

async function storePictures(of: Sign): Promise<void> {
  const [share, icon] = await Promise.all([drawShare(of), drawIcon(of)]);
  await call('PUT /keep/pictures', { body: { of, share, icon } });
}

/** The share picture: the mark, name and line of this wall over a darkened picture of bricks. */
async function drawShare({ name, line, mark }: Sign): Promise<string> {
  const { context, width, height } = await canvasWith('/share.png');
  context.fillStyle = 'rgb(18 15 13 / 85%)';
  context.fillRect(0, 0, width, height);
  const most = width - 160;
  const inSizes = [80, 72, 64, 56, 72].map((size) => rowsOf(context, name, { size, weight: 650, fill: ink, most }));
  const rows = [
    ...rowsOf(context, mark, { size: 128, fill: ink, most }),
    ...(inSizes.find(({ length }) => length === 1) ?? inSizes.at(-1)!),
    ...rowsOf(context, line, { size: 38, fill: quiet, most }),
  ];
  const total = rows.reduce((sum, row) => sum + row.height, 0);
  const scale = Math.min(1, (height - 80) / total);
  context.translate(width / 2, (height - total * scale) / 2);
  context.scale(scale, scale);
  let y = 0;
  for (const row of rows) {
    Object.assign(context, { font: row.font, fillStyle: row.fill });
    context.fillText(row.text, 0, y + row.height / 2, most);
    y += row.height;
  }
  return bytesOf(context);
}

/** The icon: the emoji on a plain ground, or the icon with bricks if the wall has no emoji. */
async function drawIcon({ mark }: Sign): Promise<string> {
  const { context, width, height } = await canvasWith('/apple-touch-icon.png');
  if (mark !== '') {
    context.fillStyle = '#1a1614';
    context.fillRect(0, 0, width, height);
    Object.assign(context, { font: font(116), fillStyle: ink });
    context.fillText(mark, width / 2, height / 2 + 6);
  }
  return bytesOf(context);
}

async function canvasWith(address: string) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { width, height } = image;
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
  Object.assign(context, { textAlign: 'center', textBaseline: 'middle' });
  context.drawImage(image, 0, 0);
  return { context, width, height };
}

/** The bytes of the picture in base64. Throws if the first pixel is not dark: the browser returns other pixels against fingerprinting. */
function bytesOf(context: CanvasRenderingContext2D): string {
  const [red = 255, green = 255, blue = 255] = context.getImageData(0, 0, 1, 1).data;
  if (Math.max(red, green, blue) > 60) throw new Error('The canvas is not what was drawn.');
  return context.canvas.toDataURL('image/png').split(',', 2)[1]!;
}

interface RowStyle {
  size: number;
  weight?: number;
  fill: string;
  most: number;
}

/** Breaks a text into rows of at most `most` pixels. A longer word is a row of its own. */
function rowsOf(context: CanvasRenderingContext2D, text: string, { size, weight, fill, most }: RowStyle) {
  context.font = font(size, weight);
  const rows: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = [...rows.slice(-1), word].join(' ');
    if (rows.length > 0 && context.measureText(longer).width <= most) rows.splice(-1, 1, longer);
    else rows.push(word);
  }
  return rows.map((row) => ({ text: row, font: context.font, fill, height: size * 1.3 }));
}
