import { Type } from 'typebox';
import { id, idempotent, idParams, paging, seconds, strict } from './common.schema.ts';

/** The fields that a post also has when it is removed and in the export. */
export const written = { id, text: Type.String(), created_at: seconds, is_modified: Type.Boolean() };

const owner = Type.Object({ id, username: Type.String() }, { ...strict, title: 'Author' });

const post = <Answered extends Parameters<typeof Type.Object>[0][string]>(title: string, answered: Answered) =>
  Type.Object(
    {
      ...written,
      owner,
      actions: Type.Object(
        {
          is_liked: Type.Boolean(),
          likes_count: Type.Integer({ minimum: 0 }),
          replies_count: Type.Integer({ minimum: 0 }),
          parent_post_id: Type.Union([id, Type.Null()]),
          replied_post_id: Type.Union([id, Type.Null()]),
          replied_post: answered,
        },
        strict,
      ),
    },
    { ...strict, title },
  );

export const writtenPost = Type.Object(written, strict);
/** A post embedded in its reply. The post that it replies to itself is not embedded. */
export const quotedPost = post('QuotedPost', Type.Null());
export const fullPost = post('Post', Type.Union([quotedPost, Type.Null()]));

export const postPage = Type.Object(
  {
    posts: Type.Array(fullPost),
    firstPage: Type.Integer({ minimum: 1 }),
    lastPage: Type.Integer({ minimum: 1 }),
    total: Type.Integer({ minimum: 0 }),
    next: Type.Union([Type.String(), Type.Null()]),
  },
  { ...strict, title: 'PostPage' },
);

const text = Type.Object({ text: Type.String() }, { ...strict, title: 'PostText' });
const likes = Type.Object({ likes_count: Type.Integer({ minimum: 0 }) }, { ...strict, title: 'Likes' });

export const listPosts = {
  query: Type.Object({
    ...paging,
    userId: Type.Optional(Type.String({ minLength: 1 })),
    filter: Type.Optional(Type.Union([Type.Literal('all'), Type.Literal('liked'), Type.Literal('replies')])),
  }),
  reply: postPage,
};
export const getPost = { params: idParams, reply: fullPost };
export const createPost = { headers: idempotent, body: text, reply: fullPost };
export const editPost = { params: idParams, body: text, reply: fullPost };
export const deletePost = { params: idParams };
export const likePost = { params: idParams, reply: likes };
export const unlikePost = { params: idParams, reply: likes };
export const listReplies = { params: idParams, query: Type.Object(paging), reply: postPage };
export const listOwnReplies = { query: Type.Object(paging), reply: postPage };
export const createReply = { params: idParams, headers: idempotent, body: text, reply: fullPost };

/** What the operator has taken off the wall, as its author alone sees it. */
export const removedPost = Type.Object(
  {
    ...written,
    replied_post_id: Type.Union([id, Type.Null()]),
    removed_at: seconds,
    reason: Type.String(),
  },
  { ...strict, title: 'RemovedPost' },
);

export const listRemoved = { reply: Type.Object({ posts: Type.Array(removedPost) }, strict) };
