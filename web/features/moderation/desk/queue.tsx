import { useEffect, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { dismissReports, removePost, type ReportedPost } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { isDialogEntry } from '../../../lib/dialog-entry.ts';
import { useObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { alreadyDone, type DeskAct, dismissalReasons, removalOf } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { blockOf, warningOf } from './person-acts.ts';
import { DeskListEnd } from './desk-list-end.tsx';
import { offerUndo } from './offer-undo.tsx';
import type { Queue as QueueList } from './queue-list.ts';
import styles from './queue.module.css';
import { Settled } from './settled.tsx';
import { ReportedCard, reportedId } from './reported-card.tsx';

interface QueueProps {
  queue: QueueList;
  /** The names of the reasons for reports, by id. */
  reasons: ReadonlyMap<string, string>;
}

/** The reported posts. What was decided leaves the list; the message about it and the journal take it back. */
export function Queue({ queue, reasons }: QueueProps) {
  const { items, next, loading, failure } = useObservable(queue.state);
  const open = useObservable(queue.open);
  const settled = useObservable(queue.settled);
  const fresh = useObservable(queue.fresh);
  const [act, setAct] = useState<DeskAct | null>(null);

  useEffect(() => {
    const check = () => {
      if (!document.hidden) queue.check().catch(() => {});
    };
    const timer = setInterval(check, limits.pollMs);
    return () => clearInterval(timer);
  }, [queue]);

  const settle = async (
    post: ReportedPost,
    isSettled = (other: ReportedPost): boolean => other.post_id === post.post_id,
  ) => {
    void focusCard(await queue.settle(post, isSettled));
  };

  const showDone = (post: ReportedPost, actId: string | null, text: string) => {
    if (actId === null) showToast(alreadyDone);
    else offerUndo(text, actId, () => void queue.reload().then(() => focusCard(post)));
  };

  const onGone = (post: ReportedPost) => () => {
    showToast('Записи больше нет');
    // Reports of a deleted post stay open.
    return settle(post, () => false);
  };

  const remove = (post: ReportedPost) =>
    setAct(
      removalOf(post.text, {
        async run(reason) {
          const { act_id: id } = await call(removePost, { params: { id: post.post_id }, body: { reason } });
          showDone(post, id, `Убрано со стены: ${reason}`);
          await settle(post);
        },
        onGone: onGone(post),
      }),
    );

  const dismiss = (post: ReportedPost) =>
    setAct({
      title: 'Оставить запись',
      about: post.text,
      hint: 'С записью ничего не случится. Причина останется в журнале.',
      reasons: dismissalReasons,
      isSwift: true,
      label: 'Оставить',
      async run(reason) {
        const { act_id: id } = await call(dismissReports, { params: { id: post.post_id }, body: { reason } });
        showDone(post, id, `Оставлено: ${reason}`);
        await settle(post);
      },
      onGone: onGone(post),
    });

  const warn = (post: ReportedPost) =>
    setAct(
      warningOf(post.author.username, async (id) => {
        showDone(post, id, `${post.author.username}: предупреждение`);
      }),
    );

  const block = (post: ReportedPost) => {
    const { id: authorId, username } = post.author;
    setAct(
      blockOf(username, async (id, withPosts) => {
        showDone(post, id, `${username}: блокировка`);
        await settle(post, ({ author }) => withPosts && author.id === authorId);
      }),
    );
  };

  const reload =
    fresh > 0 ? (
      <Button variant="primary" busy={loading} onClick={() => void queue.reload()}>
        Новые жалобы: {fresh}
      </Button>
    ) : (
      <Button busy={loading} onClick={() => void queue.reload()}>
        Обновить
      </Button>
    );
  return (
    <>
      {items.length === 0 && next === null ? (
        <Notice
          title="Жалоб нет"
          text={failure ?? 'Всё разобрано. Когда кто-нибудь пожалуется на запись, она появится здесь.'}
          action={reload}
        />
      ) : (
        <>
          <p className={styles.about}>
            Записей с жалобами: {open === 1_000 ? 'больше 1000' : open}. Сначала те, что ждут дольше.
          </p>
          <ul className={styles.list} aria-label="Жалобы">
            {items.map((post) => (
              <li key={post.post_id}>
                <ReportedCard
                  post={post}
                  reasons={reasons}
                  onRemove={remove}
                  onDismiss={dismiss}
                  onWarn={warn}
                  onBlock={block}
                />
              </li>
            ))}
          </ul>
          <DeskListEnd list={queue}>
            <div className={styles.end}>
              <p>{fresh > 0 ? 'С тех пор пожаловались ещё.' : 'Это все жалобы.'}</p>
              {reload}
            </div>
          </DeskListEnd>
        </>
      )}
      <Settled count={settled} />
      <ActDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}

let focusTurns = 0;

/** Gives the focus to a card, or to the queue’s page if it is not in the list. The last call counts. */
async function focusCard(post: ReportedPost | undefined): Promise<void> {
  const turn = (focusTurns += 1);
  const frame = () => new Promise(requestAnimationFrame);
  // Leaving the history entry of the dialog, the browser restores the scroll position within two frames.
  while (isDialogEntry()) await frame();
  await frame();
  await frame();
  // Meanwhile the moderator may have taken the act back or gone to another page.
  if (turn !== focusTurns || location.pathname !== addresses.moderation.href()) return;
  const card = post && document.getElementById(reportedId(post));
  (card ?? document.querySelector('main'))?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'nearest' });
}
