import { addresses } from '#contract/addresses.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { judgeText } from './judge-text.ts';
import { isInDiscussion } from '../list/posts-on-screen.ts';
import { DuplicatePostError } from '../store/post-list-state.ts';
import { usePostStore } from '../store/use-posts.ts';
import { TextForm } from './text-form.tsx';
import { newPostPlace, useDraft } from './drafts.ts';
import { useRequest } from '../../session/use-request.ts';
import { createPost, createReply, type Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { RepliedQuote } from './replied-quote.tsx';

interface ComposerFormProps {
  /** The post to reply to, null for a new post. */
  repliedPostId: string | null;
  onClose: () => void;
}

export function ComposerForm({ repliedPostId, onClose }: ComposerFormProps) {
  const store = usePostStore();
  const isReply = repliedPostId !== null;
  const { draft, text: typed, change } = useDraft(isReply ? `reply:${repliedPostId}` : newPostPlace);
  const { text, problem, left } = judgeText(typed);

  const { busy, error, send } = useRequest({
    action: isReply ? { kind: 'reply', postId: repliedPostId } : { kind: 'new-post' },
    onClose,
    explain: isReply ? explainReply : explainPost,
  });

  const submit = async () => {
    if (text === null) return;
    await send(async () => {
      const post = await publish(text, draft.keyFor(text), repliedPostId).catch((failure: unknown) => {
        // The post with this key, or the post to reply to, has been deleted.
        if (isNotFound(failure)) draft.forgetKey();
        throw failure;
      });
      draft.forget();
      store.addPost(post);
      // React renders what has been added in the same turn. A discussion scrolls to one's own reply.
      await Promise.resolve();
      const link = { href: addresses.post.href(post), text: 'Смотреть' };
      showToast('Опубликовано', isInDiscussion(post.id) ? undefined : link);
    });
  };

  return (
    <TextForm
      onSubmit={submit}
      end={
        <>
          <FormError>{error}</FormError>
          <Button type="submit" variant="primary" disabled={text === null} busy={busy}>
            Опубликовать
          </Button>
        </>
      }
    >
      {isReply && <RepliedQuote id={repliedPostId} />}
      <TextArea
        data-autofocus
        label={isReply ? 'Текст ответа' : 'Текст записи'}
        value={typed}
        error={problem}
        left={left}
        readOnly={busy}
        onChange={(event) => change(event.target.value)}
      />
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

/** Publishes a post, or a reply to `repliedPostId`. Requests with the same key publish it only once. */
function publish(text: string, key: string, repliedPostId: string | null): Promise<Post> {
  const input = { headers: { 'idempotency-key': key }, body: { text } };
  return repliedPostId === null
    ? call(createPost, input)
    : call(createReply, { ...input, params: { id: repliedPostId } });
}
