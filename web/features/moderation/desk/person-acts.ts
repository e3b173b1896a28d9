import { blockDays, moderationReasons } from '#contract/moderation-acts.ts';
import { blockPerson, type ModeratedPerson, warnPerson } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { type DeskAct, undoReasons } from './act.ts';

// All but a warning and those about the right to invite need a fresh code.

export function warningOf(username: string, onDone: (actId: string | null) => Promise<void>): DeskAct {
  return {
    title: 'Предупредить',
    about: username,
    hint: 'Человек прочтёт это на следующей же странице.',
    reasons: moderationReasons,
    isSwift: true,
    label: 'Предупредить',
    async run(reason) {
      const { act_id: id } = await call(warnPerson, { params: { username }, body: { reason } });
      await onDone(id);
    },
  };
}

const withoutEnd = 'none';

const terms = {
  legend: 'На сколько?',
  choices: [
    ...blockDays.map((days) => ({ id: String(days), name: days === 1 ? 'На день' : `На ${days} дней` })),
    { id: withoutEnd, name: 'Пока не снимут' },
  ],
};

/** The part of a block's body that its term gives. */
const daysOf = (term: string | undefined) => {
  const days = blockDays.find((each) => String(each) === term);
  return days === undefined ? {} : { days };
};

export function blockOf(
  username: string,
  onDone: (actId: string | null, withPosts: boolean) => Promise<void>,
): DeskAct {
  return {
    title: 'Заблокировать',
    about: username,
    hint: 'Причину увидит этот человек.',
    reasons: moderationReasons,
    isSwift: false,
    label: 'Заблокировать',
    isDangerous: true,
    option: 'Убрать все записи этого автора',
    terms,
    async run(reason, withPosts, term) {
      const body = { reason, remove_posts: withPosts, ...daysOf(term) };
      const { act_id: id } = await call(blockPerson, { params: { username }, body });
      await onDone(id, withPosts);
    },
  };
}

export function unblockOf(username: string, run: DeskAct['run']): DeskAct {
  return {
    title: 'Снять блокировку',
    about: username,
    hint: 'Причина останется в журнале.',
    reasons: undoReasons,
    isSwift: false,
    label: 'Снять блокировку',
    option: 'Вернуть записи, убранные при блокировке',
    run,
  };
}

export function appointmentOf(username: string, role: ModeratedPerson['role'], run: DeskAct['run']): DeskAct {
  return {
    title: role === 'moderator' ? 'Сделать владельцем' : 'Назначить модератором',
    about: username,
    hint: 'Причина останется в журнале.',
    reasons: ['Помогает вести стену', 'Вместо прежнего модератора'],
    isSwift: false,
    label: 'Назначить',
    ...(role !== 'moderator' && { option: 'Сразу владельцем стены: он тоже назначает и снимает других' }),
    run,
  };
}

export function dismissalOf(username: string, run: DeskAct['run']): DeskAct {
  return {
    title: 'Снять с роли',
    about: username,
    hint: 'Причина останется в журнале.',
    reasons: ['По собственной просьбе', 'Решили иначе'],
    isSwift: false,
    label: 'Снять',
    isDangerous: true,
    run,
  };
}

export function endInvitingOf(username: string, run: DeskAct['run']): DeskAct {
  return {
    title: 'Лишить права приглашать',
    about: username,
    hint: 'Не приглашать будут и те, кого он привёл. Открытые ссылки перестанут действовать. Причина останется в журнале.',
    reasons: ['Приводит спамеров', 'Раздаёт ссылки всем подряд', 'Не по правилам стены'],
    isSwift: true,
    label: 'Лишить',
    isDangerous: true,
    run,
  };
}

export function allowInvitingOf(username: string, run: DeskAct['run']): DeskAct {
  return {
    title: 'Вернуть право приглашать',
    about: username,
    hint: 'Причина останется в журнале.',
    reasons: undoReasons,
    isSwift: true,
    label: 'Вернуть',
    run,
  };
}

export function blockBranchOf(username: string, run: DeskAct['run']): DeskAct {
  // A branch is blocked without a term.
  const { terms: _terms, ...block } = blockOf(username, async () => {});
  return {
    ...block,
    run,
    title: 'Заблокировать всю ветку',
    hint: 'Его и всех, кого он привёл, кроме тех, кто ведёт стену, не больше ста за раз. Каждую блокировку можно отменить в журнале. Причину увидят эти люди.',
    option: 'Убрать все их записи',
  };
}
