import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { showToast, toasts } from '../../../lib/toasts.ts';
import { pendingText } from '../card/pending-text.ts';
import { withQuote } from '../card/quote-lines.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { judgeText } from './judge-text.ts';
import { MentionArea } from './mention-area.tsx';
import { isInDiscussion } from '../list/posts-on-screen.ts';
import { DuplicatePostError } from '../store/post-list-state.ts';
import { usePostStore } from '../store/use-posts.ts';
import { TextForm } from './text-form.tsx';
import { newPostPlace, useDraft } from './drafts.ts';
import { heldPosts } from './held-posts.ts';
import { lacksName, NameStep } from '../../account/name-step.tsx';
import { useSessionState } from '../../session/session.ts';
import { useRequest } from '../../session/use-request.ts';
import { createPost, createReply, type PendingPost, type Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { RepliedQuote } from './replied-quote.tsx';

interface ComposerFormProps {
  /** The post to reply to, null for a new post. */
  repliedPostId: string | null;
  /** Lines of what is answered, added to the text. */
  quote?: string | undefined;
  /** Whether the form stands below what is answered. */
  isInline?: boolean;
  onClose: () => void;
}

export function ComposerForm({ repliedPostId, quote, isInline = false, onClose }: ComposerFormProps) {
  const store = usePostStore();
  const isReply = repliedPostId !== null;
  const { draft, text: typed, change } = useDraft(isReply ? `reply:${repliedPostId}` : newPostPlace);
  const { text, problem, left } = judgeText(typed);

  const addQuote = useEffectEvent((lines: string) => change(withQuote(typed, lines)));
  useLayoutEffect(() => {
    if (quote !== undefined) addQuote(quote);
  }, [quote]);

  const { busy, error, send } = useRequest({
    action: isReply ? { kind: 'reply', postId: repliedPostId } : { kind: 'new-post' },
    onClose,
    explain: isReply ? explainReply : explainPost,
  });

  const [asksName, setAsksName] = useState(false);
  const session = useSessionState();
  const user = session.is === 'authorized' ? session.user : null;

  const submit = async () => {
    if (text === null) return;
    if (user && lacksName(user)) return setAsksName(true);
    await publishText(text);
  };

  const publishText = (checked: string) =>
    send(async () => {
      const sent = await publish(checked, draft.keyFor(checked), repliedPostId).catch((failure: unknown) => {
        // The post with this key, or the post to reply to, has been deleted.
        if (isNotFound(failure)) draft.forgetKey();
        throw failure;
      });
      draft.forget();
      if ('pending' in sent) return sayPending(sent.pending);
      const post = sent;
      // In a discussion the reply takes the place of the form: nothing moves in between.
      flushSync(() => {
        store.addPost(post);
        if (isInline) onClose();
      });
      // React renders what has been added in the same turn. A discussion scrolls to one's own reply.
      await Promise.resolve();
      const link = { href: addresses.post.href(post), text: 'Смотреть' };
      showToast('Опубликовано', isInDiscussion(post.id) ? undefined : link);
    });

  if (asksName && user && text !== null) {
    const named = () => {
      setAsksName(false);
      void publishText(text);
    };
    return <NameStep user={user} onDone={named} />;
  }

  return (
    <TextForm
      onSubmit={submit}
      end={
        <>
          <FormError>{error}</FormError>
          <DialogButtons>
            {isInline && <Button onClick={onClose}>Отмена</Button>}
            <Button type="submit" variant="primary" disabled={text === null} busy={busy}>
              Опубликовать
            </Button>
          </DialogButtons>
        </>
      }
    >
      {isReply && !isInline && <RepliedQuote id={repliedPostId} />}
      <MentionArea
        data-autofocus
        postId={repliedPostId}
        label={isReply ? 'Текст ответа' : 'Текст записи'}
        value={typed}
        error={problem}
        left={left}
        readOnly={busy}
        onChange={change}
      />
    </TextForm>
  );
}

/** A newcomer's post is not on the wall yet. It is in the list of one's own. */
function sayPending(post: PendingPost): void {
  heldPosts.set(heldPosts.get() + 1);
  const list = post.replied_post_id === null ? addresses.ownPosts : addresses.ownReplies;
  toasts.add({
    text: pendingText(post),
    link: { href: list.href(), text: 'Смотреть' },
    leftMs: 2 * limits.toastMs,
  });
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
function publish(text: string, key: string, repliedPostId: string | null): Promise<Post | { pending: PendingPost }> {
  const input = { headers: { 'idempotency-key': key }, body: { text } };
  return repliedPostId === null
    ? call(createPost, input)
    : call(createReply, { ...input, params: { id: repliedPostId } });
}
