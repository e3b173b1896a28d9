import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './project.mjs';

const folder = join(root, 'docs/figures');
const width = 760;
const [labelWidth, barHeight, rowHeight] = [250, 12, 40];

const style = `
  text { font: 13px system-ui, sans-serif; fill: #333 }
  .quiet { fill: #777 }
  .wall { fill: #2f6fdb; stroke: #2f6fdb }
  .bare { fill: #b9bfc9 }
  .axis { stroke: #999 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd }
    .quiet { fill: #999 }
    .wall { fill: #6c9ff0; stroke: #6c9ff0 }
    .bare { fill: #5b6472 }
  }`;

const svg = (height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}"><style>${style}</style>
${parts.join('\n')}
</svg>
`;

const text = (x, y, words, options = '') => `<text x="${x}" y="${y}" ${options}>${words}</text>`;

const micros = (number) => `${number.toFixed(1)} µs`;

/** The processor times in the details of a figure: of the wall, then of what it is compared with. */
function timesOf(run, what) {
  const figure = run.figures.find((one) => one.what === what);
  if (!figure) throw new Error(`No figure is named “${what}”`);
  const times = [...figure.detail.matchAll(/CPU ([\d.]+) µs/g)].map(([, number]) => Number(number));
  if (times.length !== 2) throw new Error(`“${what}” does not compare two processor times`);
  return times;
}

const source = ({ date, commit, machine }) => `${date.slice(0, 10)}, commit ${commit.slice(0, 8)}, ${machine}`;

const requests = {
  'feed page, JSON': 'feed page, JSON',
  'feed page, HTML': 'feed page, HTML',
  'discussion of 30 replies, JSON': 'discussion, JSON',
  'discussion of 30 replies, HTML': 'discussion, HTML',
  'feed page of a signed-in person, JSON': 'feed page of a member, JSON',
  'one post, a random one, JSON': 'a random post, JSON',
  'feed page that is not cached, JSON': 'feed page that is not cached, JSON',
  'discussion of some 30 replies that is not cached, JSON': 'discussion that is not cached, JSON',
};

/** Processor time of a request, beside a bare server that sends the same bytes. */
export function costPicture(run) {
  const rows = Object.entries(requests).map(([what, label]) => [label, ...timesOf(run, what)]);
  const scale = (width - labelWidth - 90) / Math.max(...rows.flatMap(([, wall, bare]) => [wall, bare]));
  const title = 'Processor time of a request, the wall (blue) beside a bare server that sends the same bytes (grey)';
  const bars = rows.flatMap(([label, wall, bare], row) => {
    const y = 50 + row * rowHeight;
    return [
      text(labelWidth - 12, y + 17, label, 'text-anchor="end"'),
      `<rect class="wall" x="${labelWidth}" y="${y}" width="${(wall * scale).toFixed(1)}" height="${barHeight}"/>`,
      text((labelWidth + wall * scale + 6).toFixed(1), y + 11, micros(wall)),
      `<rect class="bare" x="${labelWidth}" y="${y + barHeight + 2}" width="${(bare * scale).toFixed(1)}" height="${barHeight}"/>`,
      text((labelWidth + bare * scale + 6).toFixed(1), y + barHeight + 13, micros(bare), 'class="quiet"'),
    ];
  });
  const height = 50 + rows.length * rowHeight + 30;
  return svg(height, title, [text(0, 20, title), ...bars, text(0, height - 8, source(run), 'class="quiet"')]);
}

const sizes = ['10,000', '100,000', '1,000,000'];
const lines = { 'feed page that is not cached': 'uncached feed page', 'one post, a random one': 'a random post' };

/** Processor time of requests that read the database, by the size of the wall. The axis of sizes is logarithmic. */
export function sizePicture(run) {
  const [left, right, top, bottom] = [60, width - 190, 50, 290];
  const series = Object.entries(lines).map(([what, label]) => {
    const pairs = sizes.slice(1).map((size) => timesOf(run, `${what}, ${size} posts against 10,000`));
    // Each larger wall was measured in turns with the small one, so the ratio of a pair is exact and its times are not.
    const small = pairs.reduce((sum, [, few]) => sum + few, 0) / pairs.length;
    return { label, times: [small, ...pairs.map(([many, few]) => (small * many) / few)] };
  });
  const most = Math.ceil(Math.max(...series.flatMap(({ times }) => times)) / 50) * 50;
  const x = (index) => left + ((right - left) * index) / (sizes.length - 1);
  const y = (time) => bottom - ((bottom - top) * time) / most;
  const title = 'Processor time of a request that reads the database, by the number of posts';
  const axes = [
    `<line class="axis" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom}"/>`,
    ...sizes.map((size, index) => text(x(index), bottom + 20, size, 'text-anchor="middle"')),
    ...[0, most / 2, most].map((time) => text(left - 8, y(time) + 4, `${time} µs`, 'text-anchor="end" class="quiet"')),
  ];
  const drawn = series.flatMap(({ label, times }) => [
    `<polyline class="wall" style="fill:none" stroke-width="2" points="${times.map((time, at) => `${x(at)},${y(time).toFixed(1)}`).join(' ')}"/>`,
    ...times.map((time, at) => `<circle class="wall" cx="${x(at)}" cy="${y(time).toFixed(1)}" r="4"/>`),
    ...times.map((time, at) => text(x(at), (y(time) - 10).toFixed(1), micros(time), 'text-anchor="middle"')),
    text(right + 40, (y(times.at(-1)) + 4).toFixed(1), label),
  ]);
  return svg(350, title, [text(0, 20, title), ...axes, ...drawn, text(0, 342, source(run), 'class="quiet"')]);
}

export const readRun = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(folder, 'cost.svg'), costPicture(readRun('bench')));
  writeFileSync(join(folder, 'size.svg'), sizePicture(readRun('wall-size')));
}
