import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { blockPerson, dismissReports, removePost, type ReportedPost } from '#contract/moderation.ts';
import { moderationReasons } from '#contract/moderation-acts.ts';
import { call } from '../../../lib/api.ts';
import { useObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { alreadyDone, type DeskAct, dismissalReasons } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { blockOf } from './block-acts.ts';
import { DeskListEnd } from './desk-list-end.tsx';
import { focusAfter } from './focus-after.ts';
import { dialogEntryLeft, keepBelow } from './keep-below.ts';
import { offerUndo, undo } from './offer-undo.tsx';
import type { Queue as QueueList, Settled } from './queue-list.ts';
import styles from './queue.module.css';
import { ReportedCard } from './reported-card.tsx';
import { whileVisible } from './while-visible.ts';

const gone = 'Записи больше нет';
const withAuthorBack = 'Блокировка отменена, записи возвращены';
const withAuthor = 'Автор заблокирован, его записи убраны';

interface QueueProps {
  queue: QueueList;
  /** The names of the reasons for reports, by id. */
  reasons: ReadonlyMap<string, string>;
}

/** The reported posts. What has been settled stays as one line. */
export function Queue({ queue, reasons }: QueueProps) {
  const { items, next, loading, failure } = useObservable(queue.state);
  const open = useObservable(queue.open);
  const fresh = useObservable(queue.fresh);
  const [act, setAct] = useState<DeskAct | null>(null);
  const list = useRef<HTMLUListElement>(null);
  /** What was settled and is not shown yet. */
  const unshown = useRef<Array<{ posts: readonly ReportedPost[]; settled: Settled }>>([]);
  const [settledCount, setSettledCount] = useState(0);

  const cardOf = (postId: string) => list.current?.querySelector<HTMLElement>(`[data-reported="${postId}"]`);

  const change = (postId: string, settled: Settled | null) => {
    const card = cardOf(postId);
    keepBelow(card ?? null, () => flushSync(() => queue.settle(postId, settled)));
  };

  const collapse = useEffectEvent(async () => {
    if (unshown.current.length === 0) return;
    // Leaving the history entry of the dialog, the browser restores the scroll position.
    await dialogEntryLeft();
    const acts = unshown.current;
    unshown.current = [];
    for (const { posts, settled } of acts) for (const { post_id: id } of posts) change(id, settled);
    const [first] = acts.at(-1)?.posts ?? [];
    if (list.current && first) focusAfter(list.current, first.post_id);
  });
  // The response may come after the dialog was closed.
  useEffect(() => {
    if (act === null) void collapse();
  }, [act, settledCount]);

  /** Whether nothing that is being looked at or decided would change. */
  const mayChange = useEffectEvent((postId?: string): boolean => {
    if (act !== null || unshown.current.length > 0) return false;
    const card = postId === undefined ? null : cardOf(postId);
    if (!card) return true;
    const { top, bottom } = card.getBoundingClientRect();
    return (bottom <= 0 || top >= innerHeight) && !card.contains(document.activeElement);
  });
  const check = useEffectEvent(() => queue.check(mayChange, change));
  useEffect(() => whileVisible(() => check()), []);

  const reopen = (post: ReportedPost) => () => {
    // Its decision may have been taken back before it was shown.
    unshown.current = unshown.current.filter(({ posts }) => !posts.includes(post));
    change(post.post_id, null);
    cardOf(post.post_id)?.focus({ preventScroll: true });
  };

  const noteSettled = (posts: readonly ReportedPost[], settled: Settled) => {
    unshown.current.push({ posts, settled });
    setSettledCount((count) => count + 1);
  };

  const settle = (post: ReportedPost, actId: string | null, text: string) => {
    noteSettled([post], { text: actId === null ? alreadyDone : text, actId });
    if (actId === null) return showToast(alreadyDone);
    offerUndo(text, actId, reopen(post));
  };

  const onGone = (post: ReportedPost) => () => {
    noteSettled([post], { text: gone, actId: null });
    showToast(gone);
  };

  const remove = (post: ReportedPost) =>
    setAct({
      title: 'Скрыть запись',
      about: post.text,
      hint: 'Причину увидит автор.',
      reasons: moderationReasons,
      isSwift: true,
      label: 'Скрыть',
      isDangerous: true,
      async run(reason) {
        const { act_id: id } = await call(removePost, { params: { id: post.post_id }, body: { reason } });
        settle(post, id, `Скрыто: ${reason}`);
      },
      onGone: onGone(post),
    });

  const dismiss = (post: ReportedPost) =>
    setAct({
      title: 'Закрыть жалобы',
      about: post.text,
      hint: 'С записью ничего не случится. Причина останется в журнале.',
      reasons: dismissalReasons,
      isSwift: true,
      label: 'Закрыть жалобы',
      async run(reason) {
        const { act_id: id } = await call(dismissReports, { params: { id: post.post_id }, body: { reason } });
        settle(post, id, `Жалобы закрыты: ${reason}`);
      },
      onGone: onGone(post),
    });

  const block = ({ author }: ReportedPost) =>
    setAct(
      blockOf(author.username, async (reason, withPosts) => {
        const { act_id: id } = await call(blockPerson, {
          params: { username: author.username },
          body: { reason, remove_posts: withPosts },
        });
        queue.markAuthor(author.id, true);
        const theirs = items.filter(({ post, settled }) => post.author.id === author.id && settled === null);
        if (withPosts) {
          noteSettled(
            theirs.map(({ post }) => post),
            { text: withAuthor, actId: null },
          );
        }
        if (id === null) return showToast(alreadyDone);
        offerUndo(`${author.username}: блокировка`, id, () => {
          queue.markAuthor(author.id, false);
          if (withPosts) for (const { post } of theirs) change(post.post_id, { text: withAuthorBack, actId: null });
        });
      }),
    );

  const reload =
    fresh.length > 0 ? (
      <Button variant="primary" onClick={queue.showFresh}>
        Новые жалобы: {fresh.length}
      </Button>
    ) : (
      <Button busy={loading} onClick={() => void queue.reload()}>
        Обновить
      </Button>
    );
  const isAllSettled = items.every(({ settled }) => settled !== null);
  if (items.length === 0 && next === null) {
    return (
      <Notice
        title="Жалоб нет"
        text={failure ?? 'Всё разобрано. Когда кто-нибудь пожалуется на запись, она появится здесь.'}
        action={reload}
      />
    );
  }
  return (
    <>
      <p className={styles.about}>
        Записей с жалобами: {open === 1_000 ? 'больше 1000' : open}. Сначала те, что ждут дольше.
      </p>
      <ul ref={list} className={styles.list} aria-label="Жалобы">
        {items.map((item) => (
          <li key={item.post.post_id}>
            <ReportedCard
              item={item}
              reasons={reasons}
              onRemove={remove}
              onDismiss={dismiss}
              onBlock={block}
              onUndo={(actId) => undo(actId, reopen(item.post))}
            />
          </li>
        ))}
      </ul>
      <DeskListEnd list={queue}>
        <div className={styles.end}>
          <p>
            {fresh.length > 0 ? 'С тех пор пожаловались ещё.' : isAllSettled ? 'Жалоб больше нет.' : 'Это все жалобы.'}
          </p>
          {reload}
        </div>
      </DeskListEnd>
      <ActDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}
