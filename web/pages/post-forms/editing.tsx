import { use, useEffect, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import { browserErrors } from '#contract/errors.ts';
import type { Post } from '#contract/posts.ts';
import { checkedText, normalizePostText } from '#contract/text.ts';
import { useRemainingEditSeconds } from '../../features/posts/card/edit-window.ts';
import { countdown } from '../../lib/counts.ts';
import { openDraft } from '../../features/posts/compose/drafts.ts';
import { judgeText } from '../../features/posts/compose/typed-text.ts';
import { MentionArea } from '../../features/posts/compose/mention-area.tsx';
import { FormPage, TextField } from '../../forms/fields.tsx';
import { FormStateContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { formProblem, page, type PageContext } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import button from '../../ui/button.module.css';
import { FormError } from '../../ui/form-error.tsx';
import { NotFoundNotice } from '../not-found.tsx';
import styles from './post-forms.module.css';

type Context = PageContext<{ id: string }>;

interface Editable {
  id: string;
  post?: Post;
  /** The post was deleted. The page is missing, unless a form was sent: then it shows the sent text. */
  isGone?: true;
}

/** Loads the post, because only the server knows whether it may be edited. Without a network the text of the known post can be copied. */
async function editable({ call, params, knownPost }: Context): Promise<Editable> {
  const { id } = params;
  try {
    return { id, post: await call('GET /posts/{id}', { params }) };
  } catch (error) {
    if (isNotFound(error)) return { id, isGone: true };
    const post = knownPost(id);
    if (!post || !(error instanceof ApiError) || error.status !== 0) throw error;
    return { id, post };
  }
}

/** Changes a post's text. Succeeds too if an earlier request has changed it and its response was lost. */
async function saveEdit(call: CallEndpoint, id: string, text: string): Promise<Post> {
  try {
    return await call('PATCH /posts/{id}', { params: { id }, body: { text } });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INVALID_REQUEST')) throw error;
    const post = await call('GET /posts/{id}', { params: { id } });
    if (post.text === text) return post;
    throw error;
  }
}

/** The form that edits a post. After the time for editing and after a deletion the text stays visible, so that it can be copied. */
export const editing = page({
  load: editable,
  View({ id, post: loaded, user, handed }) {
    // The post when the page was opened. If the response to an edit is lost, the page may be loaded again with the edited text. Compared
    // with that, the typed text would count as unchanged and could not be sent again.
    const [post] = useState(loaded);
    const [draft] = useState(() => openDraft(user.id, `edit:${id}`));
    const [isRefused, setRefused] = useState(false);
    const [isExpired, setExpired] = useState(false);
    const [isGone, setGone] = useState(!post);
    const isOver = isExpired || isGone;
    const isReply = typeof post?.actions.replied_post_id === 'string';
    const check = (typed: string) => {
      const { text, problem, remaining } = judgeText(typed);
      return { isGood: text !== null && text !== post?.text, problem, remaining };
    };
    useEffect(() => {
      // An expired draft can never be saved.
      if (isExpired) draft.forget();
    }, [isExpired, draft]);
    if (!post && handed['text'] === undefined) return <NotFoundNotice />;
    if (post?.may_edit === false) {
      return (
        <FormPage>
          <p>{checkedText}</p>
          <a href={addresses.postDeletion.href(post)} data-layer className={button.button} data-variant="danger">
            Удалить
          </a>
        </FormPage>
      );
    }
    return (
      <FormPage>
        <Form
          act="edit"
          submit={isOver ? undefined : 'Сохранить'}
          variant="primary"
          isForText
          cancel={
            isOver ? { href: (isGone ? addresses.feed : addresses.post).href({ id }), text: 'Закрыть' } : undefined
          }
          onDone={() => draft.forget()}
          onFailure={({ code }) => {
            if (code === 'EDIT_PERIOD_EXPIRED') setRefused(true);
            if (code === 'NOT_FOUND') setGone(true);
          }}
        >
          {post && !isGone && <Time post={post} isRefused={isRefused} onExpired={() => setExpired(true)} />}
          <TextField
            name="text"
            label={isReply ? 'Текст ответа' : 'Текст записи'}
            value={post?.text ?? ''}
            check={check}
            draft={{
              text: draft.text,
              change: (text) => (text === post?.text ? draft.forget() : draft.change(text)),
            }}
            isReadOnly={isOver}
            takesFocus
            Area={MentionArea}
            postId={id}
          />
        </Form>
      </FormPage>
    );
  },
  acts: {
    async edit({ call, params }: Context, { text = '' }) {
      const judged = normalizePostText(text);
      if (!judged.ok) throw formProblem(judged.reason);
      const changedPost = await saveEdit(call, params.id, judged.text).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        throw new ApiError('NOT_FOUND', 'Запись удалена. Текст можно скопировать.', 404);
      });
      return { message: 'Изменено', to: addresses.postActions.href(params), changedPost };
    },
  },
});

interface TimeProps {
  post: Post;
  isRefused: boolean;
  onExpired: () => void;
}

/** The remaining time for editing. */
function Time({ post, isRefused, onExpired }: TimeProps) {
  const { isBusy } = use(FormStateContext);
  const remainingSeconds = useRemainingEditSeconds(post);
  // A request sent in time may still succeed.
  const isExpired = isRefused || (remainingSeconds === 0 && !isBusy);
  useEffect(() => {
    if (isExpired) onExpired();
  }, [isExpired, onExpired]);
  return (
    <div className={styles.time}>
      {!isExpired && <p role="timer">Изменить можно ещё {countdown(remainingSeconds)}</p>}
      <FormError>{isExpired ? browserErrors.EDIT_PERIOD_EXPIRED.message : null}</FormError>
    </div>
  );
}
