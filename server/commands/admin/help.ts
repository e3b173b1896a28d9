import type { Command } from './command.ts';
import { type OptionName, options } from './options.ts';
import { columns } from './terminal.ts';

/** Full help text, written for people who are new to the command line. */
export function help(commands: readonly Command[]): string {
  return [
    'Порядок на стене. Останавливать её не нужно: сделанное здесь видно на ней через секунду.',
    '',
    './stena admin КОМАНДА',
    '',
    columns(commands.map(({ name, target, summary }) => [`  ${target ? `${name} ${target}` : name}`, summary])),
    '',
    'ЗАПИСЬ — число в конце её адреса. ИМЯ — имя пользователя, в том числе оставленное за последние 30 дней;',
    "вместо него годится номер пользователя '#12' (в кавычках) или post:123 — автор записи 123.",
    '',
    'После команды могут стоять:',
    '',
    columns(names.map((name) => [`  ${usage(name)}`, `${options[name].summary}${takers(name, commands)}`])),
    '',
    'Например: ./stena admin remove 123 --reason "Реклама казино"',
  ].join('\n');
}

const names = Object.keys(options) as OptionName[];

function usage(name: OptionName): string {
  const option = options[name];
  return 'value' in option ? `--${name} ${option.value}` : `--${name}`;
}

/** Names the commands that take an option, if there are at most three. */
function takers(option: OptionName, commands: readonly Command[]): string {
  const taking = commands.filter((command) => command.options.includes(option)).map(({ name }) => name);
  return taking.length > 0 && taking.length <= 3 ? ` (${taking.join(', ')})` : '';
}
