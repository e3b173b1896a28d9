import { useEffect, useState } from 'react';
import { browserErrors } from '#contract/errors.ts';
import { ApiError } from '#client/api-error.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { countdown, useEditSecondsLeft } from '../card/edit-window.ts';
import { judgeText } from './judge-text.ts';
import { MentionArea } from './mention-area.tsx';
import { usePostStore } from '../store/use-posts.ts';
import styles from './text-form.module.css';
import { TextForm } from './text-form.tsx';
import { useDraft } from './drafts.ts';
import { useRequest } from '../../session/use-request.ts';
import { editPost, getPost, type Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';

interface EditFormProps {
  post: Post;
  onClose: () => void;
}

/** After the time for editing the text stays visible, so that it can be copied. */
export function EditForm({ post, onClose }: EditFormProps) {
  const store = usePostStore();
  // As of opening the dialog: an edit whose response was lost arrives as an event, and must still count as a change.
  const [original] = useState(post.text);
  const { draft, text: typed, change } = useDraft(`edit:${post.id}`, original);
  const [refused, setRefused] = useState(false);
  const { text, problem, left } = judgeText(typed);
  const secondsLeft = useEditSecondsLeft(post);

  const { busy, error, send } = useRequest({
    action: { kind: 'edit', postId: post.id },
    onClose,
    explain: (failure) => (isNotFound(failure) ? browserErrors.INTERNAL.message : explainError(failure)),
  });
  // A request sent in time may still succeed.
  const expired = refused || (secondsLeft === 0 && !busy);
  const isReply = post.actions.replied_post_id !== null;
  const ready = text !== null && text !== original;

  useEffect(() => {
    // The draft can never be saved.
    if (expired) draft.forget();
  }, [expired, draft]);

  const submit = async () => {
    if (!ready || expired) return;
    await send(async () => {
      const { actions: _, ...saved } = await saveEdit(post.id, text).catch((failure: unknown) => {
        if (failure instanceof ApiError && failure.code === 'EDIT_PERIOD_EXPIRED') setRefused(true);
        throw failure;
      });
      draft.forget();
      store.changeText(post.id, saved);
      showToast('Изменено');
    });
  };

  return (
    <TextForm
      onSubmit={submit}
      end={
        <>
          <FormError>{expired ? null : error}</FormError>
          {expired ? (
            <Button onClick={onClose}>Закрыть</Button>
          ) : (
            <Button type="submit" variant="primary" disabled={!ready} busy={busy}>
              Сохранить
            </Button>
          )}
        </>
      }
    >
      <div className={styles.time}>
        {!expired && <p role="timer">Изменить можно ещё {countdown(secondsLeft)}</p>}
        <FormError>{expired ? browserErrors.EDIT_PERIOD_EXPIRED.message : null}</FormError>
      </div>
      <MentionArea
        data-autofocus
        postId={post.id}
        label={isReply ? 'Текст ответа' : 'Текст записи'}
        value={typed}
        error={problem}
        left={left}
        readOnly={busy || expired}
        onChange={change}
      />
    </TextForm>
  );
}

/** Changes a post's text. Succeeds too if an earlier request has changed it and its response was lost. */
async function saveEdit(id: string, text: string): Promise<Post> {
  try {
    return await call(editPost, { params: { id }, body: { text } });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INVALID_REQUEST')) throw error;
    const post = await call(getPost, { params: { id } });
    if (post.text === text) return post;
    throw error;
  }
}
