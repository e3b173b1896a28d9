import { setTimeout as pause } from 'node:timers/promises';

export interface Sample {
  value: number;
  /** Labels must have few values and no user data, because Prometheus stores a series for each value. */
  labels?: Readonly<Record<string, string>>;
  /** The suffix of a histogram's series. */
  part?: 'bucket' | 'sum' | 'count';
}

export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

type Values = number | readonly Sample[];

/** A value that only grows while the process runs. */
export const counter = (name: string, help: string, values: Values): Metric => metric('counter', name, help, values);

/** A value that goes up and down. */
export const gauge = (name: string, help: string, values: Values): Metric => metric('gauge', name, help, values);

function metric(type: Metric['type'], name: string, help: string, values: Values): Metric {
  return { name, help, type, samples: typeof values === 'number' ? [{ value: values }] : values };
}

/** Counts values in buckets with fixed upper bounds. */
export class Histogram {
  #bounds: readonly number[];
  /** One count more than bounds, because the last bucket has no upper bound. */
  #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds, Infinity].map(() => 0);
  }

  observe(value: number): void {
    let i = 0;
    while (value > (this.#bounds[i] ?? Infinity)) i += 1;
    this.#counts[i]! += 1;
    this.#sum += value;
  }

  samples(labels: Record<string, string>): Sample[] {
    let count = 0;
    const buckets = this.#counts.map((counted, i): Sample => {
      count += counted;
      return { part: 'bucket', labels: { ...labels, le: String(this.#bounds[i] ?? '+Inf') }, value: count };
    });
    return [...buckets, { part: 'sum', labels, value: this.#sum }, { part: 'count', labels, value: count }];
  }
}

/** Reads the current metrics of one part of the server. */
export type Source = () => readonly Metric[] | Promise<readonly Metric[]>;

/** Less than the 10 s that Prometheus waits for a scrape. */
const sourceTimeoutMs = 2_000;

/** Collects the metrics of all sources at each scrape. */
export class Registry {
  #sources: Source[] = [];

  add(source: Source): void {
    this.#sources.push(source);
  }

  /** Leaves out sources that fail or time out: the other metrics matter most when part of the system is unavailable. */
  async text(): Promise<string> {
    const results = await Promise.allSettled(
      this.#sources.map(async (source) => Promise.race([source(), pause(sourceTimeoutMs, [], { ref: false })])),
    );
    return toText(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])));
  }
}

export const textType = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus' text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */
function toText(metrics: readonly Metric[]): string {
  return metrics.map(familyText).join('');
}

function familyText({ name, help, type, samples }: Metric): string {
  if (samples.length === 0) return '';
  const lines = samples.map((sample) => `${name}${sample.part ? `_${sample.part}` : ''}${labelText(sample)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText({ labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}`;
}

const escaped = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
