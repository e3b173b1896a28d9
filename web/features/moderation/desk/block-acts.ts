import { moderationReasons } from '#contract/moderation-acts.ts';
import { type DeskAct, undoReasons } from './act.ts';

/** Both need a fresh code. */
export function blockOf(username: string, run: DeskAct['run']): DeskAct {
  return {
    title: 'Заблокировать',
    about: username,
    hint: 'Причину увидит этот человек.',
    reasons: moderationReasons,
    isSwift: false,
    label: 'Заблокировать',
    isDangerous: true,
    option: 'Убрать все записи этого автора',
    run,
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
