import { moderationReasons } from '#contract/moderation-acts.ts';
import type { ModeratedPerson } from '#contract/moderation.ts';
import { type DeskAct, undoReasons } from './act.ts';

// All but those about the right to invite need a fresh code.

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
  return {
    ...blockOf(username, run),
    title: 'Заблокировать всю ветку',
    hint: 'Его и всех, кого он привёл, кроме тех, кто ведёт стену, не больше ста за раз. Каждую блокировку можно отменить в журнале. Причину увидят эти люди.',
    option: 'Убрать все их записи',
  };
}
