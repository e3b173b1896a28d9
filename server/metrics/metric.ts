export interface Sample {
  value: number;
  /** Never what people write or are, and few values: each is a series that Prometheus keeps. */
  labels?: Readonly<Record<string, string>>;
  /** Which line of a histogram it is. */
  part?: 'bucket' | 'sum' | 'count';
}

/** What is measured, under the name by which Prometheus knows it, and how it stands now. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

type Values = number | readonly Sample[];

/** What only grows while the process runs. */
export const counter = (name: string, help: string, values: Values): Metric => metric('counter', name, help, values);

/** What goes up and down. */
export const gauge = (name: string, help: string, values: Values): Metric => metric('gauge', name, help, values);

function metric(type: Metric['type'], name: string, help: string, values: Values): Metric {
  return { name, help, type, samples: typeof values === 'number' ? [{ value: values }] : values };
}
