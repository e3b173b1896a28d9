import { useEffect, useState } from 'react';
import { errors } from '#contract/errors.ts';
import type { Post } from '#contract/posts.ts';
import { ApiError, explainError } from '../lib/api-error.ts';
import { showToast } from '../lib/toasts.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { countdown, useEditSecondsLeft } from './edit-window.ts';
import { judgeText } from './judge-text.ts';
import { isNotFound } from './post-gone.ts';
import { usePostStore } from './post-store-context.ts';
import { saveEdit } from './save-edit.ts';
import styles from './text-form.module.css';
import { TextForm } from './text-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSending } from './use-sending.ts';

interface EditFormProps {
  post: Post;
  onClose: () => void;
}

/** Once the time is over the text stays, to be read and copied. */
export function EditForm({ post, onClose }: EditFormProps) {
  const store = usePostStore();
  // As it was when the dialog opened: an edit whose answer was lost comes back as an event and can still be sent again.
  const [original] = useState(post.text);
  const { draft, text: typed, change } = useDraft(`edit:${post.id}`, original);
  const [refused, setRefused] = useState(false);
  const { text, problem, left } = judgeText(typed);
  const secondsLeft = useEditSecondsLeft(post);

  const { busy, error, send } = useSending({
    intent: { kind: 'edit', postId: post.id },
    onClose,
    explain: (failure) => (isNotFound(failure) ? errors.INTERNAL.message : explainError(failure)),
  });
  // What was sent in time may still be taken.
  const expired = refused || (secondsLeft === 0 && !busy);
  const isReply = post.actions.replied_post_id !== null;
  const ready = text !== null && text !== original;

  useEffect(() => {
    // It can never be saved: nobody comes back to it.
    if (expired) draft.forget();
  }, [expired, draft]);

  const submit = async () => {
    if (!ready || expired) return;
    await send(async () => {
      const saved = await saveEdit(post.id, text).catch((failure: unknown) => {
        if (failure instanceof ApiError && failure.code === 'EDIT_PERIOD_EXPIRED') setRefused(true);
        throw failure;
      });
      draft.forget();
      store.changeText(post.id, saved);
      showToast('Изменено');
    });
  };

  return (
    <TextForm onSubmit={submit}>
      <div className={styles.time}>
        {!expired && <p role="timer">Изменить можно ещё {countdown(secondsLeft)}</p>}
        <FormError>{expired ? errors.EDIT_PERIOD_EXPIRED.message : null}</FormError>
      </div>
      <TextArea
        data-autofocus
        label={isReply ? 'Текст ответа' : 'Текст записи'}
        value={typed}
        error={problem}
        left={left}
        readOnly={busy || expired}
        onChange={(event) => change(event.target.value)}
      />
      <FormError>{expired ? null : error}</FormError>
      {expired ? (
        <Button onClick={onClose}>Закрыть</Button>
      ) : (
        <Button type="submit" variant="primary" disabled={!ready} busy={busy}>
          Сохранить
        </Button>
      )}
    </TextForm>
  );
}
