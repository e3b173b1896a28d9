import { type Config, readConfig } from '../config.ts';

const environments = new Set([undefined, '', 'production', 'development', 'test']);

/** Lines for the log about settings that are valid but probably not meant. */
export function doubtfulSettings(env: NodeJS.ProcessEnv, { metrics }: Pick<Config, 'metrics'>): string[] {
  const { NODE_ENV } = env;
  const lines = [];
  if (!environments.has(NODE_ENV)) lines.push(`NODE_ENV=${NODE_ENV} counts as unset: write NODE_ENV=production`);
  if (metrics && ['0.0.0.0', '::'].includes(metrics.host)) {
    lines.push(
      `METRICS listens on every address of this machine: make sure that nobody outside reaches port ${metrics.port}`,
    );
  }
  const names = settingNames();
  for (const name of Object.keys(env)) {
    const meant = names.has(name) ? undefined : [...names].find((known) => isNear(name, known));
    if (meant !== undefined) lines.push(`${name} is no setting of the wall: is ${meant} meant?`);
  }
  return lines;
}

/** The names of all settings: `readConfig` reads each of them from this proxy of an empty environment. */
function settingNames(): ReadonlySet<string> {
  const asked = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));
  return asked;
}

const prefix = 'STENA_';

/** Whether a name is probably a misspelled setting: in lower case, with the prefix, or with one wrong character in six. */
function isNear(name: string, known: string): boolean {
  const bare = name.toUpperCase().replace(prefix, '');
  return bare === known || (bare.length >= 6 && distance(bare, known) <= bare.length / 6);
}

/** The Levenshtein distance of two names. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, sign] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (sign === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
