import assert from 'node:assert/strict';

const familyLine = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/;
const sampleLine = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"(?:,(?!\})|(?=\})))+\})? (\S+)$/;
const number = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/;
const ofHistogram = /_(?:bucket|sum|count)$/;

export interface Scraped {
  /** The value of a series by its name and labels, spelled as in the text; undefined if it is missing. */
  [series: string]: number | undefined;
}

/** Parses the Prometheus text format 0.0.4 and rejects anything else. */
export function parseMetrics(text: string): Scraped {
  assert.match(text, /\n$/);
  const series: Record<string, number> = {};
  const types = new Map<string, string>();
  let family = '';
  let helped = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name, rest] = familyLine.exec(line) ?? [];
    if (keyword === 'HELP') {
      assert.ok(!types.has(name!), `twice: ${name}`);
      helped = name!;
    } else if (keyword === 'TYPE') {
      assert.equal(name, helped, line);
      assert.match(rest!, /^(counter|gauge|histogram)$/);
      types.set(name, rest!);
      family = name;
    } else {
      const [, sample, labels = '', value] = sampleLine.exec(line) ?? assert.fail(`not a sample: ${line}`);
      const isHistogram = types.get(family) === 'histogram';
      assert.equal(isHistogram ? sample!.replace(ofHistogram, '') : sample, family, line);
      assert.match(value!, number, line);
      assert.ok(!(`${sample}${labels}` in series), `twice: ${line}`);
      series[`${sample}${labels}`] = Number(value);
    }
  }
  for (const [name, type] of types) check(name, type, series);
  return series;
}

function check(name: string, type: string, series: Record<string, number>): void {
  if (type === 'counter') assert.match(name, /_total$/);
  if (type !== 'histogram') return;
  const buckets = Object.entries(series).filter(([key]) => key.startsWith(`${name}_bucket`));
  let before = 0;
  for (const [key, value] of buckets) {
    assert.ok(value >= before, `${key} is less than the bucket before it`);
    const isLast = key.includes('le="+Inf"');
    const whole = key.replace('_bucket', '_count').replace(/,?le="[^"]+"/, '');
    if (isLast) assert.equal(value, series[whole]);
    before = isLast ? 0 : value;
  }
}
