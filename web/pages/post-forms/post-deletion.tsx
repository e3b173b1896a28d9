import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import type { PendingPost, Post } from '#contract/posts.ts';
import { ShortText } from '../../features/posts/card/post-text.tsx';
import { postGone } from '../../features/posts/store/post-list-state.ts';
import { FormPage } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { page, type PageContext } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import styles from './post-forms.module.css';

type Context = PageContext<{ id: string }>;

interface Doomed {
  post?: Post;
  /** A post that waits for a moderator. */
  pending?: PendingPost;
  title?: string;
}

/** Loads the post to delete, on the wall or among those that wait for a moderator. */
async function doomed(call: CallEndpoint, id: string): Promise<Doomed> {
  try {
    return { post: await call('GET /posts/{id}', { params: { id } }) };
  } catch (error) {
    const { pending } = await call('GET /posts/removed', {});
    const held = pending.find((each) => each.id === id);
    if (!held) throw error;
    return { pending: held, title: 'Удалить навсегда?' };
  }
}

const listOf = (isReply: boolean): string => (isReply ? addresses.ownReplies : addresses.ownPosts).href();

export const deletion = page({
  async load({ call, params, knownPost }: Context): Promise<Doomed> {
    const post = knownPost(params.id);
    return post ? { post } : doomed(call, params.id);
  },
  View({ post, pending }) {
    const isReply = (pending?.replied_post_id ?? post?.actions.replied_post_id ?? null) !== null;
    return (
      <FormPage>
        <blockquote className={styles.text} dir="auto">
          <ShortText text={(post ?? pending)!.text} />
        </blockquote>
        {pending ? (
          <p>Её ещё никто не видел. Вернуть её будет нельзя.</p>
        ) : (
          <p>Передумать можно в течение пяти минут: сразу или в списке своих {isReply ? 'ответов' : 'записей'}.</p>
        )}
        <Form
          act="delete"
          submit="Удалить"
          variant="danger"
          cancel={{ href: post ? addresses.post.href(post) : listOf(isReply), text: 'Отмена' }}
        >
          {pending && <input type="hidden" name="held" value={isReply ? 'reply' : 'post'} />}
        </Form>
      </FormPage>
    );
  },
  acts: {
    async delete({ call, params }: Context, { held }) {
      const gone =
        held === undefined
          ? { to: addresses.postActions.href(params) }
          : { to: listOf(held === 'reply'), isShownBelow: true as const };
      try {
        await call('DELETE /posts/{id}', { params });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return { ...gone, message: postGone, gonePostId: params.id };
      }
      return { ...gone, message: 'Удалено', [held === undefined ? 'deletedPostId' : 'gonePostId']: params.id };
    },
  },
});
