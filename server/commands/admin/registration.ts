import { actInvite, listInvites, newInviteCode, registrationMode } from '../../features/moderation/invites.ts';
import { actRegistration } from '../../features/moderation/settings-acts.ts';
import { type RegistrationMode, registrationModes } from '../../features/wall-texts/wall-settings.ts';
import { type Command, type Output } from './command.ts';
import { columns, CommandError, line, localTime } from './terminal.ts';
import { acting, readNumber } from './options.ts';

const modeNames: Record<RegistrationMode, string> = {
  open: 'открыта для всех',
  members: 'только по приглашениям участников и тех, кто ведёт стену',
  invite: 'только по приглашениям тех, кто ведёт стену',
  closed: 'закрыта',
};

export const registration: Command = {
  name: 'registration',
  target: `[${registrationModes.join('|')}]`,
  options: acting,
  summary:
    'кто может регистрироваться: все, по приглашениям (участников или ведущих стену), никто; без слова — как сейчас',
  async run({ db, target, act }) {
    if (target === undefined) return outputOf(await registrationMode(db.read));
    const mode = registrationModes.find((known) => known === target);
    if (!mode)
      throw new CommandError(`После registration бывает ${registrationModes.join(', ')}, а не «${line(target)}».`);
    const by = act();
    const outcome = await db.tx((tx) => actRegistration(tx, mode, by));
    if ('refused' in outcome) throw new CommandError(`Регистрация уже ${modeNames[mode]}.`);
    return outputOf(mode);
  },
};

const outputOf = (mode: RegistrationMode): Output => ({
  json: { mode },
  text: `Регистрация ${modeNames[mode]}.`,
});

export const invite: Command = {
  name: 'invite',
  options: ['count', ...acting],
  summary: 'выдать коды приглашений; каждый годится один раз',
  async run({ db, options, act }) {
    const count = readNumber(options, 'count', 1);
    const by = act();
    const codes = Array.from({ length: count }, newInviteCode);
    await db.tx((tx) => actInvite(tx, codes, by));
    return {
      json: { codes },
      text: [...codes, '', 'Запишите: показать эти коды ещё раз нельзя.'].join('\n'),
    };
  },
};

export const invites: Command = {
  name: 'invites',
  options: ['limit'],
  summary: 'выданные приглашения: когда, зачем, кто пришёл',
  async run({ db, options }) {
    const rows = await listInvites(db.read, readNumber(options, 'limit', 50));
    return {
      json: { invites: rows.map(({ id: _, ...row }) => row) },
      text: rows.length === 0 ? 'Приглашений нет.' : columns(rows.map(toColumns)),
    };
  },
};

type Row = Awaited<ReturnType<typeof listInvites>>[number];

const toColumns = ({ created_at: at, used_at: usedAt, used_by: usedBy, note }: Row): string[] => [
  localTime(at),
  usedAt === null ? 'не использовано' : `${line(usedBy ?? '')}, ${localTime(usedAt)}`,
  line(note),
];
