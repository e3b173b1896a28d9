import { type Config, readConfig } from '../config.ts';

const environments = new Set([undefined, '', 'production', 'development', 'test']);

/** Settings that are valid and yet hardly what was meant, in lines for the log. */
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

/** The names that are asked for where nothing is set. */
function settingNames(): ReadonlySet<string> {
  const asked = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));
  return asked;
}

const prefix = 'STENA_';

/** The same with our prefix, in other letters, or a slip of one sign in six. */
function isNear(name: string, known: string): boolean {
  const bare = name.toUpperCase().replace(prefix, '');
  return bare === known || (bare.length >= 6 && distance(bare, known) <= bare.length / 6);
}

/** Signs to change, add or leave out to make one name of the other. */
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
