import * as accountSchema from './account.schema.ts';
import * as account from './account.ts';
import * as notificationsSchema from './notifications.schema.ts';
import * as notifications from './notifications.ts';
import * as wallTextsSchema from './wall-texts.schema.ts';
import * as wallTexts from './wall-texts.ts';
import * as signInSchema from './sign-in.schema.ts';
import * as signIn from './sign-in.ts';
import type { CallSchemas, Endpoint, EndpointCall } from './endpoint.ts';
import {
  accountExamples,
  apiTokenExamples,
  sessionExamples,
  signInExamples,
  claimExamples,
  invitationExamples,
  suggestionExamples,
} from './examples/account.ts';
import { keepExamples } from './examples/keep.ts';
import { moderationExamples } from './examples/moderation.ts';
import { postExamples } from './examples/posts.ts';
import * as examples from './examples/reading.ts';
import * as keepSchema from './keep.schema.ts';
import * as keep from './keep.ts';
import * as invitationsSchema from './invitations.schema.ts';
import * as invitations from './invitations.ts';
import * as joinSchema from './join.schema.ts';
import * as join from './join.ts';
import * as liveSchema from './live.schema.ts';
import * as live from './live.ts';
import * as peopleSchema from './moderation-people.schema.ts';
import * as moderationSchema from './moderation.schema.ts';
import * as moderation from './moderation.ts';
import * as warning from './warning.ts';
import * as bookmarksSchema from './bookmarks.schema.ts';
import * as bookmarks from './bookmarks.ts';
import * as mutesSchema from './mutes.schema.ts';
import * as mutes from './mutes.ts';
import * as postsSchema from './posts.schema.ts';
import * as posts from './posts.ts';
import * as apiTokensSchema from './api-tokens.schema.ts';
import * as apiTokens from './api-tokens.ts';
import * as readingSchema from './reading.schema.ts';
import * as reading from './reading.ts';
import * as reportsSchema from './reports.schema.ts';
import * as reports from './reports.ts';
import * as searchSchema from './search.schema.ts';
import * as search from './search.ts';
import * as sessionsSchema from './sessions.schema.ts';
import * as sessions from './sessions.ts';
import { summaries } from './summaries.ts';
import * as claimsSchema from './claims.schema.ts';
import * as claims from './claims.ts';
import * as suggestionsSchema from './suggestions.schema.ts';
import * as suggestions from './suggestions.ts';

interface Area {
  name: string;
  title: string;
  /** The purpose of the calls. */
  about: string;
  endpoints: Record<string, Endpoint>;
  /** The schemas of the calls, by the names of the calls, and parts of schemas. */
  schemas: Record<string, unknown>;
  /** An example of each call, by its name, in the order in which the calls are described. */
  examples: Record<string, EndpointCall>;
}

/** The calls by what they are about, as their descriptions list them. */
export const areas: readonly Area[] = [
  {
    name: 'posts',
    title: 'Записи',
    about: 'Лента, записи, ответы, обсуждения и отметки «Нравится».',
    endpoints: posts,
    schemas: postsSchema,
    examples: postExamples,
  },
  {
    name: 'search',
    title: 'Поиск',
    about: 'Поиск записей и ответов по словам, автору и дате.',
    endpoints: search,
    schemas: searchSchema,
    examples: examples.searchExamples,
  },
  {
    name: 'live',
    title: 'События',
    about: 'Что изменилось на стене: одним ответом или потоком событий.',
    endpoints: live,
    schemas: liveSchema,
    examples: examples.liveExamples,
  },
  {
    name: 'notifications',
    title: 'Уведомления',
    about: 'Ответы, упоминания и обсуждения, за которыми следит вошедший.',
    endpoints: notifications,
    schemas: notificationsSchema,
    examples: examples.notificationExamples,
  },
  {
    name: 'reading',
    title: 'Прочитанное',
    about: 'До какой записи прочитаны лента и обсуждения, на всех устройствах человека.',
    endpoints: reading,
    schemas: readingSchema,
    examples: examples.readingExamples,
  },
  {
    name: 'bookmarks',
    title: 'Сохранённое',
    about: 'Записи, которые человек сохранил для себя. Другим они не видны и нигде не считаются.',
    endpoints: bookmarks,
    schemas: bookmarksSchema,
    examples: examples.bookmarkExamples,
  },
  {
    name: 'mutes',
    title: 'Скрытые авторы',
    about:
      'Авторы, которых человек решил не показывать себе. Стена отдаёт их записи всем одинаково: сворачивает их программа.',
    endpoints: mutes,
    schemas: mutesSchema,
    examples: examples.muteExamples,
  },
  {
    name: 'reports',
    title: 'Жалобы',
    about: 'Жалобы на записи и их причины.',
    endpoints: reports,
    schemas: reportsSchema,
    examples: examples.reportExamples,
  },
  {
    name: 'wall-texts',
    title: 'Документы',
    about: 'Тексты о стене: что это, правила, данные.',
    endpoints: wallTexts,
    schemas: wallTextsSchema,
    examples: examples.wallTextExamples,
  },
  {
    name: 'account',
    title: 'Люди и учётная запись',
    about: 'Авторы и своя учётная запись: почта, имя, приглашения, выгрузка, удаление.',
    endpoints: { ...account, ...warning, ...suggestions, ...claims, ...invitations },
    schemas: { ...accountSchema, ...suggestionsSchema, ...claimsSchema, ...invitationsSchema },
    examples: { ...accountExamples, ...suggestionExamples, ...claimExamples, ...invitationExamples },
  },
  {
    name: 'sessions',
    title: 'Сеансы',
    about: 'Устройства, на которых человек вошёл, и обновление токена.',
    endpoints: sessions,
    schemas: sessionsSchema,
    examples: sessionExamples,
  },
  {
    name: 'api-tokens',
    title: 'Токены для программ',
    about: 'Токены, с которыми программы читают стену и пишут на ней от имени человека.',
    endpoints: apiTokens,
    schemas: apiTokensSchema,
    examples: apiTokenExamples,
  },
  {
    name: 'sign-in',
    title: 'Вход и регистрация',
    about: 'Вход без пароля: кодом, который приходит на почту.',
    endpoints: signIn,
    schemas: signInSchema,
    examples: signInExamples,
  },
  {
    name: 'moderation',
    title: 'Модерация',
    about: 'Для модераторов. Для всех остальных этих вызовов нет: ответ такой же, как по неизвестному адресу.',
    endpoints: { ...moderation, ...join },
    schemas: { ...moderationSchema, ...peopleSchema, ...joinSchema },
    examples: moderationExamples,
  },
  {
    name: 'keep',
    title: 'Хозяйство',
    about: 'Для владельцев стены. Для всех остальных этих вызовов нет: ответ такой же, как по неизвестному адресу.',
    endpoints: keep,
    schemas: keepSchema,
    examples: keepExamples,
  },
];

/** Areas of calls for those who keep the wall, which the page about the API leaves out. */
export const keepersAreas: ReadonlySet<string> = new Set(['moderation', 'keep']);

export interface Row {
  /** The name of the area. */
  area: string;
  name: string;
  summary: string;
  endpoint: Endpoint;
  schemas: CallSchemas;
  example: EndpointCall;
}

/**
 * All calls of the contract, in the order of the examples, from which the OpenAPI document and the page about the API are made. A
 * call's endpoint, schemas and example have the same name.
 */
export const table: readonly Row[] = areas.flatMap(({ name: area, endpoints, schemas, examples: of }) =>
  Object.entries(of).map(([name, example]) => ({
    area,
    name,
    summary: summaries[name]!,
    endpoint: endpoints[name]!,
    schemas: schemas[name] as CallSchemas,
    example,
  })),
);
