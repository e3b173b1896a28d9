import { Type } from 'typebox';
import { count, counted, id, idempotent, idParams, named, nullable, object, paging, seconds } from './common.schema.ts';
import { limits } from './limits.ts';

const modifiedAt = Type.Optional(
  counted(
    'Когда текст изменили в последний раз; есть только при is_modified. Ответ с меньшим created_at написан на прежний текст.',
  ),
);
/** The fields that an edit changes. */
export const edited = { text: Type.String(), is_modified: Type.Boolean(), modified_at: modifiedAt };
/** The fields that a post also has when it is removed and in the export. */
export const written = { id, created_at: seconds, ...edited };

export const displayName = nullable(
  Type.String(),
  'Как человек назвал себя, до 32 знаков любого алфавита; null: никак.',
);
export const owner = named('Author', { id, username: Type.String(), display_name: displayName });

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
      is_closed: Type.Optional(
        Type.Literal(true, { description: 'Есть только у корня закрытого обсуждения: отвечать в нём нельзя.' }),
      ),
      rule: Type.Optional(Type.String({ description: 'Вместе с is_closed или pace: то же словами.' })),
      pace: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Есть только у корня обсуждения в медленном режиме: секунд между ответами одного человека.',
        }),
      ),
    }),
    ...more,
  });

const lastReply = named('LastReply', {
  id,
  owner,
  text: Type.String({ description: 'Первые 80 знаков.' }),
  created_at: seconds,
});

export const writtenPost = object(written);
/** A post embedded in its reply, or shown with what it replies to. That post is not embedded again. */
export const quotedPost = post('QuotedPost', Type.Null(), {});
export const fullPost = post('Post', nullable(quotedPost), {
  last_reply: Type.Optional(
    nullable(
      lastReply,
      'Только в списках корневых записей: последний ответ, если в обсуждении не меньше трёх ответов от двух человек и последнему меньше суток.',
    ),
  ),
});

const lineOf = <More extends Fields>(title: string, more: More) =>
  named(title, { id, owner_id: id, text: Type.String({ description: 'Начало записи, около 80 знаков.' }), ...more });

const aside = named('Aside', {
  discussed: Type.Array(lineOf('DiscussedLine', { lifted_by: id, thread_count: count }), {
    description: 'До пяти обсуждений, поднятых ответом последними.',
  }),
  about: nullable(Type.String(), 'Первый абзац того, что владелец стены написал о ней; null: ничего.'),
  following: Type.Array(lineOf('FollowedLine', { new_count: Type.Integer({ minimum: 1 }) }), {
    description: 'До пяти обсуждений, за которыми вы следите и где есть новое. У посетителей пусто.',
  }),
});

/** Asks for what stands beside the list on a wide screen. */
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

/** A node names itself in the published description, where it refers to itself. */
const threadNode = Type.Cyclic(
  {
    ThreadNode: named('ThreadNode', {
      id,
      post: nullable(
        quotedPost,
        'null: запись удалена, но на неё есть ответы. replied_post всегда null: запись, на которую ответили, стоит в дереве выше.',
      ),
      replies: Type.Array(Type.Ref('ThreadNode'), { description: 'Первые ответы на неё, старые сначала.' }),
      more: nullable(
        object({ count: Type.Integer({ minimum: 1 }), cursor: Type.String() }),
        'Сколько ответов именно на эту запись не поместилось и чем их запросить: cursor передаётся как branch.',
      ),
    }),
  },
  'ThreadNode',
);

export const thread = named('Thread', {
  ancestors: Type.Array(quotedPost, {
    description:
      'Путь к записи: корень и до пяти последних записей, на которые она отвечает. Удалённых здесь нет; replied_post у всех null. С branch пусто.',
  }),
  skipped: counted('Сколько записей пути между корнем и последними пятью пропущено.'),
  post: fullPost,
  replies: Type.Array(threadNode),
  total: counted('Ответов на саму запись или, с branch, на запись этой ветви.'),
  next: nullable(
    Type.String(),
    'Продолжение списка replies: передаётся как cursor, а если ответ был на branch, то как branch.',
  ),
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
const pendingReply = named('Pending', { pending: pendingPost });

const text = named('PostText', { text: Type.String() });
const likes = named('Likes', { likes_count: count });

export const listPosts = {
  query: Type.Object({
    ...paging,
    userId: Type.Optional(Type.String({ minLength: 1 })),
    filter: Type.Optional(Type.Union([Type.Literal('all'), Type.Literal('liked'), Type.Literal('replies')])),
    at: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Только для ленты: страница начинается с этой записи или, если её нет, со следующей более старой. Без cursor и before.',
      }),
    ),
    aside: withAside,
  }),
  reply: postPage,
};
export const listDiscussed = {
  query: Type.Object({ limit: paging.limit, cursor: paging.cursor, aside: withAside }),
  reply: object({
    posts: Type.Array(fullPost),
    lifted_by: Type.Array(id, {
      description: 'Для каждой записи, по порядку: чей ответ поднял обсуждение последним.',
    }),
    next: nullable(Type.String()),
    ...beside,
  }),
};
export const listWaiting = {
  reply: named('WaitingPosts', { posts: Type.Array(lineOf('WaitingPost', { owner })) }),
};
export const getPost = { params: idParams, reply: fullPost };
export const createPost = { headers: idempotent, body: text, reply: fullPost, accepted: pendingReply };
export const editPost = { params: idParams, body: text, reply: fullPost };
export const deletePost = { params: idParams };
export const restorePost = { params: idParams, reply: fullPost };
export const getSharedPost = {
  params: idParams,
  reply: named('SharedPost', { ...written, owner }),
};
export const sharePost = { params: idParams };
export const unsharePost = { params: idParams };
export const likePost = { params: idParams, reply: likes };
export const unlikePost = { params: idParams, reply: likes };
export const listReplies = { params: idParams, query: Type.Object(paging), reply: postPage };
export const getThread = {
  params: idParams,
  query: Type.Object({
    order: Type.Optional(
      Type.Union([Type.Literal('newest'), Type.Literal('oldest')], {
        default: 'newest',
        description: 'Порядок ответов на саму запись. Глубже старые всегда сначала.',
      }),
    ),
    limit: paging.limit,
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.cursorLength, description: '`next` из прошлого ответа.' }),
    ),
    branch: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.cursorLength,
        description:
          '`more.cursor` записи дерева: replies — следующие ответы на неё, старые сначала, каждый со своими первыми ответами. order и cursor тогда не важны.',
      }),
    ),
  }),
  reply: thread,
};
export const listOwnReplies = { query: Type.Object(paging), reply: postPage };
export const createReply = { params: idParams, ...createPost };

/** A post that a moderator has removed, as its author sees it. */
export const removedPost = named('RemovedPost', {
  ...written,
  replied_post_id: nullable(id),
  removed_at: seconds,
  reason: Type.String(),
  is_new: Type.Boolean({ description: 'Автор ещё не видел, что запись убрана.' }),
});

/** A post that its author has deleted and can still restore. */
export const deletedPost = named('DeletedPost', {
  ...written,
  replied_post_id: nullable(id),
  restorable_until: seconds,
});

export const listRemoved = {
  reply: object({ posts: Type.Array(removedPost), deleted: Type.Array(deletedPost), pending: Type.Array(pendingPost) }),
};
