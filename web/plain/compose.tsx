import { addresses } from '#contract/addresses.ts';
import type { FormFields } from '#contract/page.ts';
import { createPost, createReply, getPost } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import { isNotFound } from '../lib/api-error.ts';
import { Form, TextField } from './form.tsx';
import { formProblem, type PlainContext, plainPage } from './plain-page.ts';
import { PostView } from './post-view.tsx';

/** The text as the server stores it. */
export function textOf(fields: FormFields): string {
  const judged = normalizePostText(fields['text'] ?? '');
  if (!judged.ok) throw formProblem(judged.reason);
  return judged.text;
}

const Visitor = ({ user }: Pick<PlainContext, 'user'>) =>
  user === null && <p>Опубликовать можно, когда вы войдёте. Написанное сохранится.</p>;

/** What another app shares is in the query. */
const shared = ({ query }: PlainContext): string =>
  ['title', 'text', 'url'].flatMap((name) => query.get(name) ?? []).join('\n');

export const compose = plainPage({
  address: addresses.newPost,
  access: 'public',
  async show(context) {
    const body = (
      <>
        <Visitor user={context.user} />
        <Form act="publish" submit="Опубликовать">
          <TextField label="Текст записи" value={shared(context)} />
        </Form>
      </>
    );
    return { heading: 'Новая запись', body };
  },
  acts: {
    async publish({ call, keyFor }, fields) {
      const text = textOf(fields);
      const post = await call(createPost, { body: { text }, headers: { 'idempotency-key': keyFor(text) } });
      return { to: addresses.post.href(post) };
    },
  },
});

export const reply = plainPage<{ id: string }>({
  address: addresses.postReply,
  access: 'public',
  async show({ params, call, user, now }) {
    const replied = await call(getPost, { params });
    const body = (
      <>
        <PostView post={replied} now={now} isAlone />
        <Visitor user={user} />
        <Form act="reply" submit="Опубликовать">
          <TextField label="Текст ответа" />
        </Form>
      </>
    );
    return { heading: 'Ответ', body };
  },
  acts: {
    async reply({ params, call, keyFor }, fields) {
      const text = textOf(fields);
      const headers = { 'idempotency-key': keyFor(text) };
      try {
        return { to: addresses.post.href(await call(createReply, { params, body: { text }, headers })) };
      } catch (error) {
        if (!isNotFound(error)) throw error;
        throw formProblem('Ответить нельзя: этой записи больше нет. Ваш текст сохранён.');
      }
    },
  },
});
