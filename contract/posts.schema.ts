import { Type } from 'typebox';
import { id, idempotent, idParams, paging, seconds, strict } from './common.schema.ts';
import { limits } from './limits.ts';

const modifiedAt = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      'Когда текст изменили в последний раз; есть только при is_modified. Ответ с меньшим created_at написан на прежний текст.',
  }),
);
/** The fields that an edit changes. */
export const edited = { text: Type.String(), is_modified: Type.Boolean(), modified_at: modifiedAt };
/** The fields that a post also has when it is removed and in the export. */
export const written = { id, created_at: seconds, ...edited };

export const displayName = Type.Union([Type.String(), Type.Null()], {
  description: 'Как человек назвал себя, до 32 знаков любого алфавита; null: никак.',
});
export const owner = Type.Object(
  { id, username: Type.String(), display_name: displayName },
  { ...strict, title: 'Author' },
);

type Fields = Parameters<typeof Type.Object>[0];

const post = <Replied extends Fields[string], More extends Fields>(title: string, replied: Replied, more: More) =>
  Type.Object(
    {
      ...written,
      owner,
      actions: Type.Object(
        {
          is_liked: Type.Boolean(),
          likes_count: Type.Integer({ minimum: 0 }),
          replies_count: Type.Integer({ minimum: 0 }),
          thread_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'Все ответы в обсуждении корневой записи, на любой глубине; у ответов null.',
          }),
          parent_post_id: Type.Union([id, Type.Null()]),
          replied_post_id: Type.Union([id, Type.Null()]),
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
        },
        strict,
      ),
      ...more,
    },
    { ...strict, title },
  );

const lastReply = Type.Object(
  {
    id,
    owner,
    text: Type.String({ description: 'Первые 80 знаков.' }),
    created_at: seconds,
  },
  { ...strict, title: 'LastReply' },
);

export const writtenPost = Type.Object(written, strict);
/** A post embedded in its reply, or shown with what it replies to. That post is not embedded again. */
export const quotedPost = post('QuotedPost', Type.Null(), {});
export const fullPost = post('Post', Type.Union([quotedPost, Type.Null()]), {
  last_reply: Type.Optional(
    Type.Union([lastReply, Type.Null()], {
      description:
        'Только в списках корневых записей: последний ответ, если в обсуждении не меньше трёх ответов от двух человек и последнему меньше суток.',
    }),
  ),
});

const lineOf = <Count extends Fields>(title: string, count: Count) =>
  Type.Object(
    { id, owner_id: id, text: Type.String({ description: 'Начало записи, около 80 знаков.' }), ...count },
    { ...strict, title },
  );

const aside = Type.Object(
  {
    discussed: Type.Array(lineOf('DiscussedLine', { lifted_by: id, thread_count: Type.Integer({ minimum: 0 }) }), {
      description: 'До пяти обсуждений, поднятых ответом последними.',
    }),
    about: Type.Union([Type.String(), Type.Null()], {
      description: 'Первый абзац того, что владелец стены написал о ней; null: ничего.',
    }),
    following: Type.Array(lineOf('FollowedLine', { new_count: Type.Integer({ minimum: 1 }) }), {
      description: 'До пяти обсуждений, за которыми вы следите и где есть новое. У посетителей пусто.',
    }),
  },
  { ...strict, title: 'Aside' },
);

/** Asks for what stands beside the list on a wide screen. */
export const withAside = Type.Optional(
  Type.Literal('true', { description: 'Только для начала ленты: добавить aside и pinned. Без cursor, before и at.' }),
);

/** The parts above or beside the list. */
export const beside = {
  pinned: Type.Optional(
    Type.Union([fullPost, Type.Null()], {
      description:
        'Только на первой странице ленты и с aside: закреплённая запись. В posts и total она и на своём месте.',
    }),
  ),
  aside: Type.Optional(aside),
};

export const postPage = Type.Object(
  {
    posts: Type.Array(fullPost),
    firstPage: Type.Integer({ minimum: 1 }),
    lastPage: Type.Integer({ minimum: 1 }),
    total: Type.Integer({ minimum: 0 }),
    next: Type.Union([Type.String(), Type.Null()]),
    previous: Type.Union([Type.String(), Type.Null()], {
      description: 'Чтение вверх: передаётся как before. null: новее в списке ничего не было.',
    }),
    ...beside,
    newer: Type.Optional(
      Type.Integer({ minimum: 0, description: 'С at: сколько записей новее первой записи ответа.' }),
    ),
  },
  { ...strict, title: 'PostPage' },
);

/** A node names itself in the published description, where it refers to itself. */
const threadNode = Type.Cyclic(
  {
    ThreadNode: Type.Object(
      {
        id,
        post: Type.Union([quotedPost, Type.Null()], {
          description:
            'null: запись удалена, но на неё есть ответы. replied_post всегда null: запись, на которую ответили, стоит в дереве выше.',
        }),
        replies: Type.Array(Type.Ref('ThreadNode'), { description: 'Первые ответы на неё, старые сначала.' }),
        more: Type.Union(
          [Type.Object({ count: Type.Integer({ minimum: 1 }), cursor: Type.String() }, strict), Type.Null()],
          {
            description:
              'Сколько ответов именно на эту запись не поместилось и чем их запросить: cursor передаётся как branch.',
          },
        ),
      },
      { ...strict, title: 'ThreadNode' },
    ),
  },
  'ThreadNode',
);

export const thread = Type.Object(
  {
    ancestors: Type.Array(quotedPost, {
      description:
        'Путь к записи: корень и до пяти последних записей, на которые она отвечает. Удалённых здесь нет; replied_post у всех null. С branch пусто.',
    }),
    skipped: Type.Integer({
      minimum: 0,
      description: 'Сколько записей пути между корнем и последними пятью пропущено.',
    }),
    post: fullPost,
    replies: Type.Array(threadNode),
    total: Type.Integer({ minimum: 0, description: 'Ответов на саму запись или, с branch, на запись этой ветви.' }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Продолжение списка replies: передаётся как cursor, а если ответ был на branch, то как branch.',
    }),
  },
  { ...strict, title: 'Thread' },
);

/** A newcomer's post that waits for a moderator, as its author sees it. */
export const pendingPost = Type.Object(
  {
    id,
    text: Type.String(),
    created_at: seconds,
    replied_post_id: Type.Union([id, Type.Null()]),
    expires_at: Type.Integer({ minimum: 0, description: 'Тогда она появится и без проверки.' }),
  },
  { ...strict, title: 'PendingPost', description: 'Запись новичка, которая ждёт проверки. Появится она с другим id.' },
);
const pendingReply = Type.Object({ pending: pendingPost }, { ...strict, title: 'Pending' });

const text = Type.Object({ text: Type.String() }, { ...strict, title: 'PostText' });
const likes = Type.Object({ likes_count: Type.Integer({ minimum: 0 }) }, { ...strict, title: 'Likes' });

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
  query: Type.Object({
    limit: paging.limit,
    cursor: paging.cursor,
    aside: withAside,
  }),
  reply: Type.Object(
    {
      posts: Type.Array(fullPost),
      lifted_by: Type.Array(id, {
        description: 'Для каждой записи, по порядку: чей ответ поднял обсуждение последним.',
      }),
      next: Type.Union([Type.String(), Type.Null()]),
      ...beside,
    },
    strict,
  ),
};
export const listWaiting = {
  reply: Type.Object({ posts: Type.Array(lineOf('WaitingPost', { owner })) }, { ...strict, title: 'WaitingPosts' }),
};
export const getPost = { params: idParams, reply: fullPost };
export const createPost = { headers: idempotent, body: text, reply: fullPost, accepted: pendingReply };
export const editPost = { params: idParams, body: text, reply: fullPost };
export const deletePost = { params: idParams };
export const restorePost = { params: idParams, reply: fullPost };
export const getSharedPost = {
  params: idParams,
  reply: Type.Object({ ...written, owner }, { ...strict, title: 'SharedPost' }),
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
export const createReply = {
  params: idParams,
  headers: idempotent,
  body: text,
  reply: fullPost,
  accepted: pendingReply,
};

/** A post that a moderator has removed, as its author sees it. */
export const removedPost = Type.Object(
  {
    ...written,
    replied_post_id: Type.Union([id, Type.Null()]),
    removed_at: seconds,
    reason: Type.String(),
    is_new: Type.Boolean({ description: 'Автор ещё не видел, что запись убрана.' }),
  },
  { ...strict, title: 'RemovedPost' },
);

/** A post that its author has deleted and can still restore. */
export const deletedPost = Type.Object(
  {
    ...written,
    replied_post_id: Type.Union([id, Type.Null()]),
    restorable_until: seconds,
  },
  { ...strict, title: 'DeletedPost' },
);

export const listRemoved = {
  reply: Type.Object(
    { posts: Type.Array(removedPost), deleted: Type.Array(deletedPost), pending: Type.Array(pendingPost) },
    strict,
  ),
};
