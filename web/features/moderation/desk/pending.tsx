import { useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { approvePost, type LastHour, type ModeratedPending, removePost } from '#contract/moderation.ts';
import { moderationReasons } from '#contract/moderation-acts.ts';
import { call } from '../../../lib/api.ts';
import { isNotFound } from '../../../lib/api-error.ts';
import { useObservable } from '../../../lib/observable.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { useRequest } from '../../session/use-request.ts';
import { alreadyDone, type DeskAct, removalOf } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { blockAllOf } from './block-all.ts';
import card from './desk-card.module.css';
import { DeskCard } from './desk-card.tsx';
import type { DeskList } from './desk-list.ts';
import desk from './desk.module.css';
import { QueueItems } from './queue-items.tsx';
import styles from './queue.module.css';
import { showAct } from './show-act.tsx';

/** Newcomers' posts that wait: one tap lets one through. */
export function Pending({ list }: { list: DeskList<ModeratedPending, { last_hour: LastHour }> }) {
  const { last_hour: recent } = useObservable(list.state);
  const [act, setAct] = useState<DeskAct | null>(null);

  const leave = (post: ModeratedPending) => list.update((all) => all.filter(({ id }) => id !== post.id));

  const remove = (post: ModeratedPending) =>
    setAct(
      removalOf(post.text, {
        async run(reason) {
          const { act_id: id } = await call(removePost, { params: post, body: { reason } });
          leave(post);
          // Undone, the post is on the wall.
          showAct(id, `Убрано: ${reason}`, () => void list.reload());
        },
        async onGone() {
          leave(post);
          showToast(alreadyDone);
        },
      }),
    );

  const blockAll = () =>
    setAct({
      title: 'Заблокировать всех и убрать',
      about: `За последний час: людей ${recent.people}, их записей ${recent.posts}`,
      hint: 'Причину увидит каждый. Отменить решение о каждом можно в журнале.',
      reasons: moderationReasons,
      isSwift: true,
      label: 'Заблокировать всех и убрать',
      isDangerous: true,
      async run(reason) {
        const { since, until } = recent;
        showToast(await blockAllOf(call, { since, until, reason }));
        await list.reload();
      },
    });

  return (
    <>
      <QueueItems
        list={list}
        label="Ждут проверки"
        empty={{
          title: 'Никто не ждёт',
          text: 'Первые записи новичков появятся здесь, если владелец включил их проверку в Хозяйстве.',
        }}
        about={
          <div className={styles.about}>
            <p>Первые записи новичков. Кроме авторов их никто не видит.</p>
            {recent.people > 1 && (
              <Button variant="danger" aria-haspopup="dialog" onClick={blockAll}>
                Заблокировать всех за последний час: {recent.people}
              </Button>
            )}
          </div>
        }
      >
        {(post) => (
          <li key={post.id}>
            <PendingCard post={post} onGone={() => leave(post)} onRemove={() => remove(post)} />
          </li>
        )}
      </QueueItems>
      <ActDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}

interface PendingCardProps {
  post: ModeratedPending;
  onGone: () => void;
  onRemove: () => void;
}

function PendingCard({ post, onGone, onRemove }: PendingCardProps) {
  const { owner, text, replied_post: replied } = post;
  const id = `pending-${post.id}`;
  const { busy, error, send } = useRequest();

  const approve = () =>
    send(async () => {
      const { post_id: postId } = await call(approvePost, { params: post }).catch((failure: unknown) => {
        if (!isNotFound(failure)) throw failure;
        return { post_id: undefined };
      });
      onGone();
      if (postId === undefined) showToast(alreadyDone);
      else if (postId === null) showToast('Отвечать уже не на что: автор это увидит');
      else showToast('Пропущено', { href: addresses.post.href({ id: postId }), text: 'Смотреть' });
    });

  return (
    <DeskCard {...{ id, author: owner, replied, text }}>
      <p className={desk.quiet}>
        Появится и без проверки <time dateTime={machineTime(post.expires_at)}>{exactTime(post.expires_at)}</time>
      </p>
      <FormError>{error}</FormError>
      <div className={card.actions}>
        <Button variant="primary" aria-describedby={`${id}-author`} busy={busy} onClick={() => void approve()}>
          Пропустить
        </Button>
        <Button variant="danger" aria-describedby={`${id}-author`} aria-haspopup="dialog" onClick={onRemove}>
          Убрать
        </Button>
      </div>
    </DeskCard>
  );
}
