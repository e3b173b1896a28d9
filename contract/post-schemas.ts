import { type Static, Type } from 'typebox';
import { call } from './call.ts';
import * as values from './example-values.ts';
import { count, counted, id, idParams, named, nullable, object, paging, seconds } from './schemas.ts';

const modifiedAt = Type.Optional(
  counted(
    'Когда текст изменили в последний раз; есть только при is_modified. Ответ с меньшим created_at написан на прежний текст.',
  ),
);
/** The fields of a post that its author sends. */
export const newPost = named('PostText', { text: Type.String() });
/** The fields that an edit changes. */
export const edited = { text: newPost.properties.text, is_modified: Type.Boolean(), modified_at: modifiedAt };
/** The fields that published, removed, deleted and exported posts have. Pending posts have only some of them. */
export const written = { id, created_at: seconds, ...edited };

export const displayName = nullable(
  Type.String(),
  'Как человек назвал себя, до 32 знаков любого алфавита; null: никак.',
);
export const face = nullable(Type.String(), 'Один эмодзи, который человек выбрал своим значком; null: никакой.');
/** The names and the face of a person, wherever somebody is shown. */
export const names = {
  username: Type.String(),
  display_name: displayName,
  face,
  is_namesake: Type.Optional(
    Type.Literal(true, {
      description:
        'Есть только у людей, чьё имя (display_name) на вид такое же, какое до них уже было у кого-то другого: рядом с ним показывайте username.',
    }),
  ),
};
export const owner = named('Author', {
  id,
  ...names,
  newcomer_until: Type.Optional(
    counted(
      'Есть только у записей, написанных в первые семь дней после регистрации: до какого времени рядом с именем стоит «недавно здесь». У владельцев стены не бывает.',
    ),
  ),
});

/** The rules of a discussion, in the actions of its root post. */
export const rule = {
  is_closed: Type.Optional(
    Type.Literal(true, { description: 'Есть только у корня обсуждения, в котором новые ответы запрещены.' }),
  ),
  closed_by: Type.Optional(
    Type.Literal('author', {
      description:
        'Вместе с is_closed: ответы закрыл автор записи. Сам он отвечать может. Без этого поля закрыли те, кто ведёт стену.',
    }),
  ),
  rule: Type.Optional(Type.String({ description: 'Вместе с is_closed или pace: то же словами.' })),
  pace: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Есть только у корня обсуждения в медленном режиме: секунд между ответами одного человека.',
    }),
  ),
};

export type ShownRules = Static<Type.TObject<typeof rule>>;

type Fields = Parameters<typeof Type.Object>[0];

const post = <Replied extends Fields[string], More extends Fields>(title: string, replied: Replied, more: More) =>
  named(title, {
    ...written,
    owner,
    actions: object({
      is_liked: Type.Boolean(),
      likes_count: count,
      replies_count: count,
      thread_count: nullable(count, 'Все ответы в обсуждении корневой записи, на любой глубине; у ответов null.'),
      parent_post_id: nullable(id),
      replied_post_id: nullable(id),
      replied_post: replied,
      ...rule,
    }),
    mentions: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Есть только у записей, где упомянут человек с именем пользователя, которое придумала стена: «@user_…», как в тексте, и имя, которое показывать вместо него. Текст записи остаётся как написан.',
      }),
    ),
    ...more,
  });

const lastReply = named('LastReply', {
  id,
  owner,
  text: Type.String({ description: 'Первые 80 знаков.' }),
  created_at: seconds,
});

export const writtenPost = object(written);
/** A post that is embedded in a reply to it. It has no embedded post itself. */
export const quotedPost = post('QuotedPost', Type.Null(), {});
export const fullPost = post('Post', nullable(quotedPost), {
  may_edit: Type.Optional(
    Type.Literal(false, {
      description:
        'Только в GET /posts/{id} для автора: запись прошла проверку первых записей, и её текст больше не меняется (PATCH ответит 403).',
    }),
  ),
  last_reply: Type.Optional(
    nullable(
      lastReply,
      'Только в списках корневых записей: последний ответ, если в обсуждении не меньше трёх ответов от двух человек и последнему меньше суток.',
    ),
  ),
});

export const lineOf = <More extends Fields>(title: string, more: More) =>
  named(title, { id, owner_id: id, text: Type.String({ description: 'Начало записи, около 80 знаков.' }), ...more });

const aside = named('Aside', {
  discussed: Type.Array(lineOf('DiscussedLine', { lifted_by: id, thread_count: count }), {
    description: 'До пяти обсуждений, поднятых ответом последними.',
  }),
  about: nullable(
    Type.String(),
    'Строка о стене, а без неё первый абзац того, что владелец стены написал о ней; null: ничего.',
  ),
  following: Type.Array(lineOf('FollowedLine', { new_count: Type.Integer({ minimum: 1 }) }), {
    description: 'До пяти обсуждений, за которыми вы следите и где есть новое. У посетителей пусто.',
  }),
});

/** Requests the right column that is beside the list on a wide screen. */
export const withAside = Type.Optional(
  Type.Literal('true', { description: 'Только для начала ленты: добавить aside и pinned. Без cursor, before и at.' }),
);

/** The parts above or beside the list. */
export const beside = {
  pinned: Type.Optional(
    nullable(
      fullPost,
      'Только на первой странице ленты и с aside: закреплённая запись. В posts и total она и на своём месте.',
    ),
  ),
  aside: Type.Optional(aside),
};

export const postPage = named('PostPage', {
  posts: Type.Array(fullPost),
  firstPage: Type.Integer({ minimum: 1 }),
  lastPage: Type.Integer({ minimum: 1 }),
  total: count,
  next: nullable(Type.String()),
  previous: nullable(Type.String(), 'Чтение вверх: передаётся как before. null: новее в списке ничего не было.'),
  ...beside,
  newer: Type.Optional(counted('С at: сколько записей новее первой записи ответа.')),
});

/** A newcomer's post that waits for a moderator, as its author sees it. */
export const pendingPost = named(
  'PendingPost',
  {
    id,
    text: Type.String(),
    created_at: seconds,
    replied_post_id: nullable(id),
    expires_at: counted('Тогда она появится и без проверки.'),
  },
  { description: 'Запись новичка, которая ждёт проверки. Появится она с другим id.' },
);

/** A post that a moderator has removed, as its author sees it. */
export const removedPost = named('RemovedPost', {
  ...written,
  replied_post_id: nullable(id),
  removed_at: seconds,
  reason: Type.String(),
  is_new: Type.Boolean({ description: 'Автор ещё не видел, что запись убрана.' }),
});

export const bookmarkCalls = {
  'GET /users/current/bookmarks': call({
    name: 'listBookmarks',
    says: 'Сохранённые записи, последние сохранённые сначала',
    access: 'user',
    scope: 'read',
    query: Type.Object({ limit: paging.limit, cursor: paging.cursor }),
    reply: object({ posts: Type.Array(fullPost), next: nullable(Type.String()) }),
    example: { query: { limit: '1' }, reply: { posts: [values.rootPost], next: null } },
  }),
  'GET /posts/{id}/bookmark': call({
    name: 'getBookmark',
    says: 'Сохранили ли вы эту запись',
    access: 'user',
    scope: 'read',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: named('Bookmark', { saved: Type.Boolean() }),
    example: { params: values.other, reply: { saved: false } },
  }),
  'PUT /posts/{id}/bookmark': call({
    name: 'saveBookmark',
    says: 'Сохранить запись для себя',
    access: 'user',
    spends: 'bookmarks',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    example: { params: values.other },
  }),
  'DELETE /posts/{id}/bookmark': call({
    name: 'removeBookmark',
    says: 'Убрать запись из сохранённых',
    access: 'user',
    spends: 'bookmarks',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    example: { params: values.other },
  }),
};
