import { accountCalls, listedPeopleCalls, muteCalls, readingCalls, suggestionCalls } from './account.ts';
import { apiTokenCalls } from './api-tokens.ts';
import { bookmarkCalls } from './post-schemas.ts';
import type { Access, Call, TypesOf } from './call.ts';
import { carryCalls, wallCarryCalls } from './carries.ts';
import { claimCalls, invitationCalls, joinCalls } from './invitations.ts';
import { type CallerOf, endpointOf } from './endpoint.ts';
import { wallAdminCalls } from './wall-admin.ts';
import { liveCalls } from './live.ts';
import { peopleCalls } from './moderation-people.ts';
import { moderationCalls } from './moderation.ts';
import { notificationCalls } from './notifications.ts';
import { postCalls } from './posts.ts';
import { reportCalls } from './reports.ts';
import { searchCalls } from './search.ts';
import { sessionCalls } from './sessions.ts';
import { signInCalls } from './sign-in.ts';
import { wallTextCalls } from './wall-texts.ts';
import { wordCalls } from './words.ts';

const ownCalls = {
  ...accountCalls,
  ...carryCalls,
  ...listedPeopleCalls,
  ...suggestionCalls,
  ...claimCalls,
  ...invitationCalls,
};
const keepCalls = { ...wallAdminCalls, ...wallCarryCalls };
const deskCalls = { ...moderationCalls, ...peopleCalls, ...joinCalls };

/** All calls of the contract, by method and path. The browser does not load them. */
export const calls = {
  ...postCalls,
  ...searchCalls,
  ...liveCalls,
  ...notificationCalls,
  ...readingCalls,
  ...bookmarkCalls,
  ...muteCalls,
  ...wordCalls,
  ...reportCalls,
  ...wallTextCalls,
  ...ownCalls,
  ...sessionCalls,
  ...apiTokenCalls,
  ...signInCalls,
  ...deskCalls,
  ...keepCalls,
};

export type Calls = TypesOf<typeof calls>;
export type CallEndpoint = CallerOf<Calls>;

export type CallsFor<Of extends Access> = {
  [Name in keyof typeof calls]: (typeof calls)[Name] extends Call<Of> ? Name : never;
}[keyof typeof calls];

const area = (name: string, of: Readonly<Record<string, Call>>, title: string, about: string) => ({
  name,
  of,
  title,
  about,
});

/** The calls grouped by area, in the order of the published descriptions. */
export const areas = [
  area('posts', postCalls, 'Записи', 'Лента, записи, ответы, обсуждения и отметки «Нравится».'),
  area('search', searchCalls, 'Поиск', 'Поиск записей и ответов по словам, автору и дате.'),
  area('live', liveCalls, 'События', 'Что изменилось на стене: одним ответом или потоком событий.'),
  area(
    'notifications',
    notificationCalls,
    'Уведомления',
    'Ответы, упоминания и обсуждения, за которыми следит вошедший.',
  ),
  area(
    'reading',
    readingCalls,
    'Прочитанное',
    'До какой записи прочитаны лента и обсуждения, на всех устройствах человека.',
  ),
  area(
    'bookmarks',
    bookmarkCalls,
    'Сохранённое',
    'Записи, которые человек сохранил для себя. Другим они не видны и нигде не считаются.',
  ),
  area(
    'mutes',
    muteCalls,
    'Скрытые авторы',
    'Авторы, которых человек решил не показывать себе. Стена отдаёт их записи всем одинаково: сворачивает их программа.',
  ),
  area(
    'words',
    wordCalls,
    'Слова',
    'Слова, за которыми человек следит, и слова, записи с которыми он не показывает себе. Их не видит никто другой.',
  ),
  area('reports', reportCalls, 'Жалобы', 'Жалобы на записи и их причины.'),
  area('wall-texts', wallTextCalls, 'Документы', 'Тексты о стене: что это, правила, данные.'),
  area(
    'account',
    ownCalls,
    'Люди и учётная запись',
    'Авторы и своя учётная запись: почта, имя, приглашения, выгрузка, удаление.',
  ),
  area('sessions', sessionCalls, 'Сеансы', 'Устройства, на которых человек вошёл, и обновление токена.'),
  area(
    'api-tokens',
    apiTokenCalls,
    'Токены для программ',
    'Токены, с которыми программы читают стену и пишут на ней от имени человека.',
  ),
  area('sign-in', signInCalls, 'Вход и регистрация', 'Вход без пароля: кодом, который приходит на почту.'),
  area(
    'moderation',
    deskCalls,
    'Модерация',
    'Для модераторов. Для всех остальных этих вызовов нет: ответ такой же, как по неизвестному адресу.',
  ),
  area(
    'keep',
    keepCalls,
    'Хозяйство',
    'Для владельцев стены. Для всех остальных этих вызовов нет: ответ такой же, как по неизвестному адресу.',
  ),
];

/** Areas of calls for keepers, which the page about the API leaves out. */
export const keepersAreas: ReadonlySet<string> = new Set(['moderation', 'keep']);

/** All calls in the order of the published descriptions, each with the name of its area. */
export const callTable = areas.flatMap(({ name, of }) =>
  Object.entries(of).map(([key, described]) => ({ area: name, ...endpointOf(key), ...described })),
);
export type CallRow = (typeof callTable)[number];
