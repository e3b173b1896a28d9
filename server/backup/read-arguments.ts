import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Refusal } from '../admin/refusal.ts';

export interface Order {
  command: 'backup' | 'restore';
  file: string;
  /** Put whatever wall is there aside. */
  replace: boolean;
}

const usage = {
  backup: 'npm run backup -- ФАЙЛ',
  restore: 'npm run restore -- ФАЙЛ [--replace]',
};

export function readArguments([name, ...args]: string[]): Order {
  const command = name === 'restore' ? name : 'backup';
  const { values, positionals } = parse(args, command);
  const [file, ...rest] = positionals;
  if (!file || rest.length > 0 || (values.replace && command === 'backup')) throw refusal(command);
  return { command, file: resolve(file), replace: values.replace };
}

function parse(args: string[], command: Order['command']) {
  try {
    return parseArgs({
      args,
      options: { replace: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
  } catch {
    throw refusal(command);
  }
}

const refusal = (command: Order['command']): Refusal => new Refusal(`Команда пишется так: ${usage[command]}`);
