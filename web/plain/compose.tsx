import { changeProfile } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/endpoint.ts';
import type { FormFields, PlainOutcome } from '#contract/page.ts';
import { createPost, createReply, getPost, type PendingPost, type Post } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import { isGeneratedUsername } from '#contract/username.ts';
import { pendingText } from '../features/posts/card/pending-text.ts';
import { isNotFound } from '../lib/api-error.ts';
import { Field, Form, TextField } from './form.tsx';
import { formProblem, type PlainContext, plainPage } from './plain-page.ts';
import { PostView } from './post-view.tsx';

/** The text as the server stores it. */
export function textOf(fields: FormFields): string {
  const judged = normalizePostText(fields['text'] ?? '');
  if (!judged.ok) throw formProblem(judged.reason);
  return judged.text;
}

/** The first post of a discussion; undefined if it is gone. */
export const rootOf = async (call: CallEndpoint, post: Post): Promise<Post | undefined> =>
  post.actions.parent_post_id === null
    ? post
    : call(getPost, { params: { id: post.actions.parent_post_id } }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });

const Visitor = ({ user }: Pick<PlainContext, 'user'>) =>
  user === null && <p>Опубликовать можно, когда вы войдёте. Написанное сохранится.</p>;

/** Before the first post. It may stay empty. */
const NameField = ({ user }: Pick<PlainContext, 'user'>) =>
  user !== null &&
  user.display_name === null &&
  isGeneratedUsername(user.username) && (
    <Field
      name="display_name"
      label="Как вас называть?"
      tip="Имя любыми буквами, можно пропустить"
      autoComplete="name"
    />
  );

async function saveName({ call }: PlainContext, { display_name: name = '' }: FormFields): Promise<void> {
  if (name.trim() !== '') await call(changeProfile, { body: { display_name: name } });
}

/** Another app shares a text in the query. */
const shared = ({ query }: PlainContext): string =>
  ['title', 'text', 'url'].flatMap((name) => query.get(name) ?? []).join('\n');

/** A newcomer's post that waits is in the list of one's own. */
function shown(sent: Post | { pending: PendingPost }): PlainOutcome {
  if (!('pending' in sent)) return { to: addresses.post.href(sent) };
  const to = (sent.pending.replied_post_id === null ? addresses.ownPosts : addresses.ownReplies).href();
  return { to, sent: { page: to, fields: {}, message: pendingText(sent.pending), failed: false } };
}

export const compose = plainPage({
  address: addresses.newPost,
  access: 'public',
  async show(context) {
    const body = (
      <>
        <Visitor user={context.user} />
        <Form act="publish" submit="Опубликовать">
          <TextField label="Текст записи" value={shared(context)} />
          <NameField user={context.user} />
        </Form>
      </>
    );
    return { heading: 'Новая запись', body };
  },
  acts: {
    async publish(context, fields) {
      const { call, keyFor } = context;
      const text = textOf(fields);
      await saveName(context, fields);
      return shown(await call(createPost, { body: { text }, headers: { 'idempotency-key': keyFor(text) } }));
    },
  },
});

export const reply = plainPage<{ id: string }>({
  address: addresses.postReply,
  access: 'public',
  async show({ params, call, user, now }) {
    const replied = await call(getPost, { params });
    const root = await rootOf(call, replied);
    const body = (
      <>
        <PostView post={replied} now={now} isAlone />
        {root?.actions.rule !== undefined && <p>{root.actions.rule}</p>}
        {!root?.actions.is_closed && (
          <>
            <Visitor user={user} />
            <Form act="reply" submit="Опубликовать">
              <TextField label="Текст ответа" />
              <NameField user={user} />
            </Form>
          </>
        )}
      </>
    );
    return { heading: 'Ответ', body };
  },
  acts: {
    async reply(context, fields) {
      const { params, call, keyFor } = context;
      const text = textOf(fields);
      await saveName(context, fields);
      const headers = { 'idempotency-key': keyFor(text) };
      try {
        return shown(await call(createReply, { params, body: { text }, headers }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        throw formProblem('Ответить нельзя: этой записи больше нет. Ваш текст сохранён.');
      }
    },
  },
});
