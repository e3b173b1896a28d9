import { blockDays, moderationReasons } from '#contract/moderation-acts.ts';
import { blockPerson, type Branch, type ModeratedPerson, warnPerson } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { type DeskAct, undoReasons } from './act.ts';

const recorded = 'Причина останется в журнале.';

// All but a warning and those about the right to invite need a fresh code.
const acts = {
  warn: {
    title: 'Предупредить',
    hint: 'Человек прочтёт это на следующей же странице.',
    reasons: moderationReasons,
    isSwift: true,
    label: 'Предупредить',
  },
  block: {
    title: 'Заблокировать',
    hint: 'Причину увидит этот человек.',
    reasons: moderationReasons,
    label: 'Заблокировать',
    isDangerous: true,
    option: 'Убрать все записи этого автора',
  },
  unblock: {
    title: 'Снять блокировку',
    hint: recorded,
    reasons: undoReasons,
    label: 'Снять блокировку',
    option: 'Вернуть записи, убранные при блокировке',
  },
  dismiss: {
    title: 'Снять с роли',
    hint: recorded,
    reasons: ['По собственной просьбе', 'Решили иначе'],
    label: 'Снять',
    isDangerous: true,
  },
  endInviting: {
    title: 'Лишить права приглашать',
    hint: `Не приглашать будут и те, кого он привёл. Открытые ссылки перестанут действовать. ${recorded}`,
    reasons: ['Приводит спамеров', 'Раздаёт ссылки всем подряд', 'Не по правилам стены'],
    isSwift: true,
    label: 'Лишить',
    isDangerous: true,
  },
  allowInviting: {
    title: 'Вернуть право приглашать',
    hint: recorded,
    reasons: undoReasons,
    isSwift: true,
    label: 'Вернуть',
  },
  blockBranch: {
    title: 'Заблокировать всю ветку',
    hint: 'Его и всех, кого он привёл, кроме тех, кто ведёт стену, не больше ста за раз. Каждую блокировку можно отменить в журнале. Причину увидят эти люди.',
    reasons: moderationReasons,
    label: 'Заблокировать',
    isDangerous: true,
    option: 'Убрать все их записи',
  },
} satisfies Record<string, Omit<DeskAct, 'about' | 'run'>>;

export const personAct = (act: keyof typeof acts, username: string, run: DeskAct['run']): DeskAct => ({
  ...acts[act],
  about: username,
  run,
});

export const warningOf = (username: string, onDone: (actId: string | null) => Promise<void>): DeskAct =>
  personAct('warn', username, async (reason) => {
    const { act_id: id } = await call(warnPerson, { params: { username }, body: { reason } });
    await onDone(id);
  });

const mayInviteTexts = {
  yes: '',
  no: ' Больше не приглашает, и те, кого он привёл, тоже.',
  branch: ' Ветка, в которой он состоит, не приглашает.',
};

/** How many people a person has brought. */
export const broughtText = ({ people: { length }, more, may_invite: mayInvite }: Branch): string =>
  `Пригласил: ${more ? `больше ${length}` : length} чел.${mayInviteTexts[mayInvite]}`;

export const blockedText = ({ blocked, remaining }: { blocked: number; remaining: number }): string =>
  `Заблокировано: ${blocked}${remaining === 0 ? '' : `. Осталось: ${remaining}, повторите`}`;

const terms = {
  legend: 'На сколько?',
  choices: [
    ...blockDays.map((days) => ({ id: String(days), name: days === 1 ? 'На день' : `На ${days} дней` })),
    { id: 'none', name: 'Пока не снимут' },
  ],
};

/** The part of a block's body that its term gives. */
export const daysOf = (term: string | undefined) => {
  const days = blockDays.find((each) => String(each) === term);
  return days === undefined ? {} : { days };
};

export function blockOf(
  username: string,
  onDone: (actId: string | null, withPosts: boolean) => Promise<void>,
): DeskAct {
  const block = personAct('block', username, async (reason, withPosts, term) => {
    const body = { reason, remove_posts: withPosts, ...daysOf(term) };
    const { act_id: id } = await call(blockPerson, { params: { username }, body });
    await onDone(id, withPosts);
  });
  return { ...block, terms };
}

export const appointmentOf = (username: string, role: ModeratedPerson['role'], run: DeskAct['run']): DeskAct => ({
  title: role === 'moderator' ? 'Сделать владельцем' : 'Назначить модератором',
  about: username,
  hint: recorded,
  reasons: ['Помогает вести стену', 'Вместо прежнего модератора'],
  label: 'Назначить',
  ...(role !== 'moderator' && { option: 'Сразу владельцем стены: он тоже назначает и снимает других' }),
  run,
});
