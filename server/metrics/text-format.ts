import type { Metric, Sample } from './metric.ts';

export const textType = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus' text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function toText(metrics: readonly Metric[]): string {
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
