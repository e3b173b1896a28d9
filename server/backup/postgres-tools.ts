import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Refusal } from '../admin/refusal.ts';
import { line } from '../admin/terminal.ts';

type Tool = 'pg_dump' | 'pg_restore';

/** Runs a program of the operator's PostgreSQL; resolves to what it prints. */
export async function runTool(tool: Tool, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(tool, args, { env: { ...process.env, LC_ALL: 'C', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    if (code !== 0) throw new Refusal(`${tool}: ${line(firstError(errors))}`);
    return output;
  } catch (error) {
    throw isMissing(error) ? new Refusal(`Не найдена программа ${tool}: установите клиент PostgreSQL.`) : error;
  }
}

/** Refuses a tool that would not understand the server. */
export async function refuseOlderTool(tool: Tool, serverMajor: number): Promise<void> {
  const said = await runTool(tool, ['--version']);
  const major = Number(/(\d+)(\.|devel|beta|rc)/.exec(said)?.[1]);
  if (major >= serverMajor) return;
  throw new Refusal(
    `${tool} версии ${major} старее сервера PostgreSQL ${serverMajor}: установите клиент версии ${serverMajor} или новее.`,
  );
}

/** How the tools reach a database: anyone may read a command line, so the password is not on it. */
export function connectionOf(databaseUrl: string): { dbname: string; env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  return { dbname: `--dbname=${url.href}`, env: password ? { PGPASSWORD: password } : {} };
}

/** What went wrong first; the rest follows from it. */
const firstError = (errors: string): string =>
  errors
    .split('\n')
    .find((said) => /error|FATAL/i.test(said))
    ?.replace(/^pg_\w+: (error: )?/, '') ?? errors.trim();

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
