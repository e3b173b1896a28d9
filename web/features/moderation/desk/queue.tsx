import { useEffect, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { dismissReports, removePost, type ReportedPost } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { isDialogEntry } from '../../../lib/dialog-entry.ts';
import { useObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import { type DeskAct, dismissalReasons, removalOf } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { blockOf, warningOf } from './person-acts.ts';
import type { Queue as QueueList } from './queue-list.ts';
import { QueueItems } from './queue-items.tsx';
import styles from './queue.module.css';
import { ReportedCard, reportedId } from './reported-card.tsx';
import { Settled } from './settled.tsx';
import { showAct } from './show-act.tsx';

interface QueueProps {
  queue: QueueList;
  /** The names of the reasons for reports, by id. */
  reasons: ReadonlyMap<string, string>;
}

/** The reported posts. What was decided leaves the list; the message about it and the journal take it back. */
export function Queue({ queue, reasons }: QueueProps) {
  const { open, settled, fresh } = useObservable(queue.state);
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

  const showDone = (post: ReportedPost, actId: string | null, text: string) =>
    showAct(actId, text, () => void queue.reload().then(() => focusCard(post)));

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

  return (
    <>
      <QueueItems
        list={queue}
        label="Жалобы"
        empty={{
          title: 'Жалоб нет',
          text: 'Всё разобрано. Когда кто-нибудь пожалуется на запись, она появится здесь.',
        }}
        {...(fresh > 0 && { reload: { variant: 'primary', children: `Новые жалобы: ${fresh}` } })}
        about={
          <p className={styles.about}>
            Записей с жалобами: {open === 1_000 ? 'больше 1000' : open}. Сначала те, что ждут дольше.
          </p>
        }
        end={<p>{fresh > 0 ? 'С тех пор пожаловались ещё.' : 'Это все жалобы.'}</p>}
      >
        {(post) => (
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
        )}
      </QueueItems>
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
