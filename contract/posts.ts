import { type Static, Type } from 'typebox';
import { call, type TypesOf } from './call.ts';
import * as values from './example-values.ts';
import { serverLimits } from './limits.ts';
import {
  beside,
  edited,
  fullPost,
  lineOf,
  newPost,
  owner,
  pendingPost,
  postPage,
  quotedPost,
  removedPost,
  withAside,
  written,
  writtenPost,
} from './post-schemas.ts';
import { count, counted, id, idempotent, idParams, named, nullable, object, paging, seconds } from './schemas.ts';

/** The schema contains itself, so the published description refers to it by its name. */
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

const thread = named('Thread', {
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
const pendingReply = named('Pending', { pending: pendingPost });

const likes = named('Likes', { likes_count: count });

/** A post that its author has deleted and can still restore. */
const deletedPost = named('DeletedPost', {
  ...written,
  replied_post_id: nullable(id),
  restorable_until: seconds,
});

export type Post = Static<typeof fullPost>;
export type Mentions = NonNullable<QuotedPost['mentions']>;
export type QuotedPost = Static<typeof quotedPost>;
export type Owner = Static<typeof owner>;
export type LastReply = NonNullable<Post['last_reply']>;
export type WaitingPost = TypesOf<typeof postCalls>['GET /posts/waiting']['reply']['posts'][number];
export type BestPeriod = NonNullable<TypesOf<typeof postCalls>['GET /posts/best']['query']['period']>;
export type BestPage = TypesOf<typeof postCalls>['GET /posts/best']['reply'];
export type DiscussedPage = TypesOf<typeof postCalls>['GET /posts/discussed']['reply'];
export type Aside = NonNullable<PostPage['aside']>;
export type WrittenPost = Static<typeof writtenPost>;
export type PostPage = Static<typeof postPage>;
export type Thread = Static<typeof thread>;
export type ThreadNode = Thread['replies'][number];
export type RemovedPost = Static<typeof removedPost>;
export type PendingPost = Static<typeof pendingPost>;
export type DeletedPost = Static<typeof deletedPost>;
/** A person's own posts that are not on the wall. */
export type WithdrawnPosts = TypesOf<typeof postCalls>['GET /posts/removed']['reply'];

const own = { id: values.ownPostId };
const pending = {
  id: '1031',
  text: values.ownPost.text,
  created_at: values.at,
  replied_post_id: null,
  expires_at: values.at + 24 * 3_600,
};

export const postCalls = {
  'GET /posts': call({
    name: 'listPosts',
    says: 'Записи, новые сначала',
    access: 'public',
    scope: 'read',
    query: Type.Object({
      ...paging,
      userId: Type.Optional(Type.String({ description: 'Пустой — то же, что без него.' })),
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
    example: {
      query: { limit: '1' },
      reply: { ...values.onePage([values.rootPost]), lastPage: 240, total: 240, next: 'c1017', pinned: null },
    },
  }),
  'GET /posts/discussed': call({
    name: 'listDiscussed',
    says: 'Обсуждения: последние поднятые ответом сначала',
    access: 'public',
    scope: 'read',
    query: Type.Object({ limit: paging.limit, cursor: paging.cursor, aside: withAside }),
    reply: object({
      posts: Type.Array(fullPost),
      lifted_by: Type.Array(id, {
        description: 'Для каждой записи, по порядку: чей ответ поднял обсуждение последним.',
      }),
      next: nullable(Type.String()),
      ...beside,
    }),
    example: {
      query: { limit: '1', aside: 'true' },
      reply: {
        posts: [
          {
            ...values.rootPost,
            last_reply: {
              id: values.reply.id,
              owner: values.reply.owner,
              text: values.reply.text,
              created_at: values.reply.created_at,
            },
          },
        ],
        lifted_by: [values.reply.owner.id],
        next: 'c1017',
        pinned: null,
        aside: {
          discussed: [
            {
              id: values.rootPost.id,
              owner_id: values.rootPost.owner.id,
              text: values.rootPost.text,
              lifted_by: values.reply.owner.id,
              thread_count: 1,
            },
          ],
          about: null,
          following: [],
        },
      },
    },
  }),
  /** A job updates the list once a minute, so likes and replies of the last minute may be missing. */
  'GET /posts/best': call({
    name: 'listBest',
    says: 'Лучшее за неделю, месяц или всё время: записи и ответы по числу людей, которым они понравились или которые на них ответили',
    access: 'public',
    scope: 'read',
    query: Type.Object({
      period: Type.Optional(
        Type.Union([Type.Literal('week'), Type.Literal('month'), Type.Literal('all')], {
          default: 'week',
          description: 'За какое время: считается от публикации.',
        }),
      ),
      limit: paging.limit,
      cursor: paging.cursor,
    }),
    reply: object({ posts: Type.Array(fullPost), next: nullable(Type.String()) }),
    example: { query: { period: 'month', limit: '1' }, reply: { posts: [values.rootPost], next: '7-1017' } },
  }),
  /** First posts of newcomers of the last three days without a reply from anybody else. */
  'GET /posts/waiting': call({
    name: 'listWaiting',
    says: 'Первые записи новичков за три дня, на которые ещё никто не ответил',
    access: 'user',
    scope: 'read',
    reply: named('WaitingPosts', { posts: Type.Array(lineOf('WaitingPost', { owner })) }),
    example: {
      reply: {
        posts: [
          {
            id: values.otherPostId,
            owner_id: values.rootPost.owner.id,
            text: values.rootPost.text,
            owner: values.rootPost.owner,
          },
        ],
      },
    },
  }),
  'GET /posts/{id}': call({
    name: 'getPost',
    says: 'Одна запись',
    access: 'public',
    scope: 'read',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: fullPost,
    example: { params: values.other, reply: values.rootPost },
  }),
  'POST /posts': call({
    name: 'createPost',
    says: 'Опубликовать запись',
    access: 'user',
    spends: 'posts',
    scope: 'write',
    status: 201,
    // NOT_FOUND: the post of the first call with this idempotency key has been deleted.
    codes: ['NOT_FOUND'],
    headers: idempotent,
    body: newPost,
    reply: fullPost,
    accepted: pendingReply,
    example: { body: { text: values.ownPost.text }, reply: values.ownPost, accepted: { pending } },
  }),
  'PATCH /posts/{id}': call({
    name: 'editPost',
    says: 'Изменить свою запись',
    access: 'user',
    spends: 'edits',
    scope: 'write',
    codes: ['FORBIDDEN', 'EDIT_PERIOD_EXPIRED', 'NOT_FOUND'],
    params: idParams,
    body: object({ text: edited.text }),
    reply: fullPost,
    example: {
      params: own,
      body: { text: 'Сегодня открылся каток!' },
      reply: { ...values.ownPost, text: 'Сегодня открылся каток!', is_modified: true, modified_at: values.at + 60 },
    },
  }),
  'DELETE /posts/{id}': call({
    name: 'deletePost',
    says: 'Удалить свою запись',
    access: 'user',
    spends: 'deletions',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: own },
  }),
  /** Restores a deleted post with its likes and replies. Only for its author, and within `limits.undoDeletionSeconds`. */
  'POST /posts/{id}/restoration': call({
    name: 'restorePost',
    says: 'Вернуть запись, которую вы удалили не больше пяти минут назад',
    access: 'user',
    spends: 'restorations',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: fullPost,
    example: { params: own, reply: values.ownPost },
  }),
  /** A shared post. Everybody can read it, even on a wall that only members can read. */
  'GET /posts/{id}/shared': call({
    name: 'getSharedPost',
    says: 'Запись, которую автор закрытой стены открыл всем',
    access: 'public',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: named('SharedPost', { ...written, owner }),
    example: {
      params: own,
      reply: {
        id: values.ownPost.id,
        created_at: values.ownPost.created_at,
        text: values.ownPost.text,
        is_modified: false,
        owner: values.ownPost.owner,
      },
    },
  }),
  'PUT /posts/{id}/shared': call({
    name: 'sharePost',
    says: 'Открыть свою запись всем, кто не вошёл',
    access: 'user',
    spends: 'bookmarks',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: own },
  }),
  'DELETE /posts/{id}/shared': call({
    name: 'unsharePost',
    says: 'Снова показывать свою запись только участникам',
    access: 'user',
    spends: 'bookmarks',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: own },
  }),
  'PUT /posts/{id}/closure': call({
    name: 'closeReplies',
    says: 'Запретить новые ответы на свою запись: дальше отвечать в её обсуждении можете только вы',
    access: 'user',
    spends: 'bookmarks',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: own },
  }),
  /** An author cannot reopen a discussion that a keeper has closed. Keepers may make this call too; then it is in the journal. */
  'DELETE /posts/{id}/closure': call({
    name: 'openReplies',
    says: 'Разрешить новые ответы на свою запись',
    access: 'user',
    spends: 'bookmarks',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: own },
  }),
  'POST /posts/{id}/likes': call({
    name: 'likePost',
    says: 'Отметить как понравившуюся',
    access: 'user',
    spends: 'likes',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: likes,
    example: { params: values.other, reply: { likes_count: 4 } },
  }),
  'DELETE /posts/{id}/likes': call({
    name: 'unlikePost',
    says: 'Снять отметку «Нравится»',
    access: 'user',
    spends: 'unlikes',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: likes,
    example: { params: values.other, reply: { likes_count: 3 } },
  }),
  'GET /posts/{id}/replies': call({
    name: 'listReplies',
    says: 'Ответы на запись, новые сначала',
    access: 'public',
    scope: 'read',
    codes: ['NOT_FOUND'],
    params: idParams,
    query: Type.Object(paging),
    reply: postPage,
    example: { params: values.other, query: { limit: '20' }, reply: values.onePage([values.reply]) },
  }),
  /** A response has at most 50 nodes: up to `limit` nodes of the first level, then the nearest nodes below them. */
  'GET /posts/{id}/thread': call({
    name: 'getThread',
    says: 'Запись с путём к ней и деревом ответов, не больше 50 записей дерева за раз',
    access: 'public',
    scope: 'read',
    codes: ['NOT_FOUND'],
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
        Type.String({ minLength: 1, maxLength: serverLimits.cursorLength, description: '`next` из прошлого ответа.' }),
      ),
      branch: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: serverLimits.cursorLength,
          description:
            '`more.cursor` записи дерева: replies — следующие ответы на неё, старые сначала, каждый со своими первыми ответами. order и cursor тогда не важны.',
        }),
      ),
    }),
    reply: thread,
    example: {
      params: values.other,
      query: { order: 'oldest' },
      reply: {
        ancestors: [],
        skipped: 0,
        post: values.rootPost,
        replies: [{ id: values.quotedReply.id, post: values.quotedReply, replies: [], more: null }],
        total: 1,
        next: null,
      },
    },
  }),
  'GET /posts/replies': call({
    name: 'listOwnReplies',
    says: 'Свои ответы, новые сначала',
    access: 'user',
    scope: 'read',
    query: Type.Object(paging),
    reply: postPage,
    example: { query: { page: '1' }, reply: values.onePage([values.reply]) },
  }),
  'POST /posts/{id}/replies': call({
    name: 'createReply',
    says: 'Ответить на запись',
    access: 'user',
    spends: 'posts',
    scope: 'write',
    status: 201,
    codes: ['NOT_FOUND', 'DISCUSSION_CLOSED'],
    params: idParams,
    headers: idempotent,
    body: newPost,
    reply: fullPost,
    accepted: pendingReply,
    example: {
      params: values.other,
      body: { text: values.reply.text },
      reply: values.reply,
      accepted: { pending: { ...pending, text: values.reply.text, replied_post_id: values.otherPostId } },
    },
  }),
  'GET /posts/removed': call({
    name: 'listRemoved',
    says: 'Свои записи и ответы, которых нет на стене: убранные с неё, удалённые, пока их можно вернуть, и ждущие проверки; последние сначала',
    access: 'user',
    scope: 'read',
    reply: object({
      posts: Type.Array(removedPost),
      deleted: Type.Array(deletedPost),
      pending: Type.Array(pendingPost),
    }),
    example: {
      reply: {
        posts: [
          {
            id: '1029',
            text: 'Куплю гараж, дёшево, звоните.',
            created_at: values.at,
            is_modified: false,
            replied_post_id: null,
            removed_at: values.at + 3_600,
            reason: 'Реклама: пункт 3 правил.',
            is_new: true,
          },
        ],
        deleted: [
          {
            id: '1030',
            text: 'Поторопился.',
            created_at: values.at,
            is_modified: false,
            replied_post_id: null,
            restorable_until: values.at + 3_900,
          },
        ],
        pending: [pending],
      },
    },
  }),
};
