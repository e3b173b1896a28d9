import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './moderation.schema.ts';

export type ReportedPost = Static<typeof schema.reportedPost>;
export type ModeratedPerson = Static<typeof schema.moderatedPerson>;
export type JournalEntry = Static<typeof schema.journalEntry>;
export type Invite = Static<typeof schema.invite>;

export const listReported = endpoint<typeof schema.listReported>({
  method: 'GET',
  path: '/moderation/reports',
  summary: 'Записи с жалобами: дольше всех ждущие сначала; со state=all новые жалобы сначала',
  access: 'moderator',
  status: 200,
  codes: [],
});

/* @__NO_SIDE_EFFECTS__ */
const actOnPost = (path: string, summary: string) =>
  endpoint<typeof schema.removePost>({
    method: 'POST',
    path: `/moderation/posts/{id}/${path}`,
    summary,
    access: 'moderator',
    status: 200,
    codes: [],
  });

export const removePost = actOnPost('removal', 'Скрыть запись; жалобы на неё закрываются');
export const returnPost = actOnPost('restoration', 'Вернуть скрытую запись');
export const dismissReports = actOnPost('dismissal', 'Закрыть жалобы на запись, ничего с ней не делая');

export const listPeople = endpoint<typeof schema.listPeople>({
  method: 'GET',
  path: '/moderation/people',
  summary: 'Люди: новые сначала или по началу имени',
  access: 'moderator',
  status: 200,
  codes: [],
});

export const getPerson = endpoint<typeof schema.getPerson>({
  method: 'GET',
  path: '/moderation/people/{username}',
  summary: 'Человек, каким его видят модераторы',
  access: 'moderator',
  status: 200,
  codes: [],
});

export const blockPerson = endpoint<typeof schema.blockPerson>({
  method: 'POST',
  path: '/moderation/people/{username}/block',
  summary: 'Заблокировать; нужен свежий код',
  access: 'moderator',
  status: 200,
  codes: ['CONFIRMATION_REQUIRED'],
});

export const unblockPerson = endpoint<typeof schema.unblockPerson>({
  method: 'POST',
  path: '/moderation/people/{username}/unblock',
  summary: 'Снять блокировку; нужен свежий код',
  access: 'moderator',
  status: 200,
  codes: ['CONFIRMATION_REQUIRED'],
});

export const startModeration = endpoint<typeof schema.startModeration>({
  method: 'POST',
  path: '/moderation/confirmation',
  summary: 'Подтвердить себя: код уходит на адрес учётной записи',
  access: 'moderator',
  status: 201,
  codes: [],
});

export const verifyModeration = endpoint<typeof schema.verifyModeration>({
  method: 'POST',
  path: '/moderation/confirmation/{id}/verify',
  summary: 'Подтвердить себя кодом: на 15 минут в этом сеансе',
  access: 'moderator',
  status: 200,
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'],
});

export const getModeration = endpoint<typeof schema.getModeration>({
  method: 'GET',
  path: '/moderation/confirmation',
  summary: 'До какого времени этот сеанс подтверждён',
  access: 'moderator',
  status: 200,
  codes: [],
});

export const listInvites = endpoint<typeof schema.listInvites>({
  method: 'GET',
  path: '/moderation/invites',
  summary: 'Приглашения, последние сначала',
  access: 'moderator',
  status: 200,
  codes: [],
});

export const makeInvites = endpoint<typeof schema.makeInvites>({
  method: 'POST',
  path: '/moderation/invites',
  summary: 'Выдать приглашения; коды показываются один раз',
  access: 'moderator',
  status: 201,
  codes: [],
});

export const listJournal = endpoint<typeof schema.listJournal>({
  method: 'GET',
  path: '/moderation/journal',
  summary: 'Что делали модераторы и операторы, последнее сначала',
  access: 'moderator',
  status: 200,
  codes: [],
});

export const undoAct = endpoint<typeof schema.undoAct>({
  method: 'POST',
  path: '/moderation/journal/{id}/undo',
  summary: 'Отменить действие; для блокировок нужен свежий код',
  access: 'moderator',
  status: 200,
  codes: ['CONFIRMATION_REQUIRED'],
});

export const getPin = endpoint<typeof schema.getPin>({
  method: 'GET',
  path: '/moderation/pin',
  summary: 'Закреплённая запись',
  access: 'moderator',
  status: 200,
  codes: [],
});

export const pinPost = endpoint<typeof schema.pinPost>({
  method: 'PUT',
  path: '/moderation/pin',
  summary: 'Закрепить запись над лентой',
  access: 'moderator',
  status: 200,
  codes: [],
});

export const unpinPost = endpoint<typeof schema.unpinPost>({
  method: 'DELETE',
  path: '/moderation/pin',
  summary: 'Открепить',
  access: 'moderator',
  status: 200,
  codes: [],
});
