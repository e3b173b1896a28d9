import { parseArgs } from 'node:util';
import { type Command } from './command.ts';
import { CommandError, toLine } from './terminal.ts';
import { type OptionName, type Options, options as known } from './options.ts';

export interface CommandLine {
  command: Command;
  target: string | undefined;
  value: string | undefined;
  options: Options;
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
}

const seeHelp = 'Список команд: ./stena admin help';

/** Parses the command line; rejects every argument and option that the command does not take. */
export function readArguments(args: string[], commands: readonly Command[]): CommandLine | 'help' {
  const { tokens } = parseArgs({ args, options: known, strict: false, allowPositionals: true, tokens: true });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? token.value : []));
  const [name = 'help', ...targets] = words;
  if (name === 'help') return 'help';
  const command = commands.find((other) => other.name === name);
  if (!command) throw new CommandError(`Нет такой команды: ${toLine(name)}. ${seeHelp}`);

  const options: Options = {};
  for (const token of tokens) {
    if (token.kind === 'option') Object.assign(options, { [token.name]: readOption(token, command) });
  }
  const [target, value] = readTargets(targets, command);
  return { command, target, value, options };
}

function readOption({ name, rawName, value }: OptionToken, command: Command) {
  const taken: readonly string[] = ['json', ...command.options];
  if (!taken.includes(name)) throw new CommandError(`Команда ${command.name} не знает ${toLine(rawName)}. ${seeHelp}`);
  const { type } = known[name as OptionName];
  if (type === 'boolean' && value !== undefined) throw new CommandError(`${rawName} пишется без значения.`);
  if (type === 'string' && value === undefined) throw new CommandError(`После ${rawName} нужно значение.`);
  return value ?? true;
}

function readTargets(given: string[], { name, target }: Command): string[] {
  const wanted = target === undefined ? 0 : target.split(' ').length;
  const extra = given[wanted];
  if (extra !== undefined) throw new CommandError(`Лишнее слово после команды ${name}: ${toLine(extra)}. ${seeHelp}`);
  if (target !== undefined && !target.startsWith('[') && given.length < wanted) {
    throw new CommandError(`После команды ${name} нужно указать: ${target}. ${seeHelp}`);
  }
  return given;
}
