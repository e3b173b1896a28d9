import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { makeSecrets, storedSecret } from '../../secrets.ts';
import { actCommands, changeEmail } from './acts.ts';
import type { Command } from './command.ts';
import { mailCheck } from './mail-check/mail-check.ts';
import { type OptionName, options, readOperator, readReason } from './options.ts';
import { log, stats } from './overview.ts';
import { ownerLink } from './owner-link.ts';
import type { CommandLine } from './read-arguments.ts';
import { registration } from './registration.ts';
import { columns, terminalSafeJson } from './terminal.ts';

/** Full help text, written for people who are new to the command line. */
export function help(commands: readonly Command[]): string {
  return [
    'Для того, кто держит машину: что нужно и тогда, когда на сайт не войти. Записи, жалобы и приглашения —',
    'на стене, страница «Модерация». Останавливать стену не нужно: сделанное здесь видно на ней через секунду.',
    '',
    './stena admin КОМАНДА',
    '',
    columns(commands.map(({ name, target, summary }) => [`  ${target ? `${name} ${target}` : name}`, summary])),
    '',
    'ИМЯ — имя пользователя, в том числе оставленное за последние 30 дней; вместо него годится номер',
    "пользователя '#12' (в кавычках) или post:123 — автор записи с числом 123 в конце адреса.",
    '',
    'После команды могут стоять:',
    '',
    columns(names.map((name) => [`  ${usage(name)}`, `${options[name].summary}${takers(name, commands)}`])),
    '',
    'Например: ./stena admin block ivan_petrov --reason "Реклама казино"',
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

/** Runs a command; resolves to its output and whether its exit status is 1. */
export async function carryOut(
  db: Database,
  config: Config,
  { command, target, value, options: given }: CommandLine,
): Promise<{ output: string; failed: boolean }> {
  const now = Math.floor(Date.now() / 1_000);
  const act = () => ({ at: now, operator: readOperator(given), reason: readReason(given) });
  const secrets = async () => makeSecrets(config.secret ?? (await storedSecret(config.dataDir)));
  const {
    json,
    text,
    failed = false,
  } = await command.run({ db, config, target, value, options: given, now, act, secrets });
  return { output: given.json ? terminalSafeJson(json) : text, failed };
}

/** In the order of the help text. */
export const commands: readonly Command[] = [
  ownerLink,
  ...actCommands,
  changeEmail,
  registration,
  mailCheck,
  log,
  stats,
];
