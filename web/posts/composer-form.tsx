import { explainError } from '../lib/api-error.ts';
import { showToast } from '../lib/toasts.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { AnsweredQuote } from './answered-quote.tsx';
import { judgeText } from './judge-text.ts';
import { isNotFound } from './post-gone.ts';
import { DuplicatePostError } from './post-list-state.ts';
import { usePostStore } from './post-store-context.ts';
import { publish } from './publish.ts';
import { TextForm } from './text-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSending } from './use-sending.ts';

interface ComposerFormProps {
  /** The post that is answered; null for a post of its own. */
  repliedPostId: string | null;
  onClose: () => void;
}

export function ComposerForm({ repliedPostId, onClose }: ComposerFormProps) {
  const store = usePostStore();
  const isReply = repliedPostId !== null;
  const { draft, text: typed, change } = useDraft(isReply ? `reply:${repliedPostId}` : 'new-post');
  const { text, problem, left } = judgeText(typed);

  const { busy, error, send } = useSending({
    intent: isReply ? { kind: 'reply', postId: repliedPostId } : { kind: 'new-post' },
    onClose,
    explain: isReply ? explainReply : explainPost,
  });

  const submit = async () => {
    if (text === null) return;
    await send(async () => {
      const post = await publish(text, draft.keyFor(text), repliedPostId).catch((failure: unknown) => {
        // The key led to a post that is gone by now, or where it answers there is nothing.
        if (isNotFound(failure)) draft.forgetKey();
        throw failure;
      });
      draft.forget();
      store.addPost(post);
      showToast('Опубликовано', { href: `/posts/${post.id}`, text: 'Смотреть' });
    });
  };

  return (
    <TextForm onSubmit={submit}>
      {isReply && <AnsweredQuote id={repliedPostId} />}
      <TextArea
        data-autofocus
        label={isReply ? 'Текст ответа' : 'Текст записи'}
        value={typed}
        error={problem}
        left={left}
        readOnly={busy}
        onChange={(event) => change(event.target.value)}
      />
      <FormError>{error}</FormError>
      <Button type="submit" variant="primary" disabled={text === null} busy={busy}>
        Опубликовать
      </Button>
    </TextForm>
  );
}

function explainReply(error: unknown): string {
  return isNotFound(error) ? 'Ответить нельзя: этой записи больше нет. Ваш текст сохранён.' : explainPost(error);
}

function explainPost(error: unknown): string {
  if (error instanceof DuplicatePostError) return error.message;
  if (isNotFound(error)) return 'Эта запись уже была опубликована и удалена. Её можно опубликовать ещё раз.';
  return explainError(error);
}
