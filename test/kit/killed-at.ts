import childProcess from 'node:child_process';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

// Preloaded into a command. Kills it before the first call that matches KILLED_AT: a file operation, an SQL statement, a program.
const killedAt = new RegExp(process.env['KILLED_AT']!);

const killedBefore =
  <Args extends unknown[], Result>(name: string, call: (...args: Args) => Result) =>
  (...args: Args): Result => {
    if (killedAt.test(`${name} ${args.flat().join(' ')}`)) process.kill(process.pid, 'SIGKILL');
    return call(...args);
  };

Object.assign(fs, {
  link: killedBefore('link', fs.link),
  mkdir: killedBefore('mkdir', fs.mkdir),
  rename: killedBefore('rename', fs.rename),
  rm: killedBefore('rm', fs.rm),
});
Object.assign(childProcess, { spawn: killedBefore('spawn', childProcess.spawn) });
syncBuiltinESMExports();

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function send(this: pg.Client, ...args: unknown[]) {
  return killedBefore('query', query.bind(this) as (...sent: unknown[]) => unknown)(...args);
} as typeof query;
