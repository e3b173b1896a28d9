import { useId, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { approvePost, type LastHour, type ModeratedPending, removePost } from '#contract/moderation.ts';
import { moderationReasons } from '#contract/moderation-acts.ts';
import { call } from '../../../lib/api.ts';
import { isNotFound } from '../../../lib/api-error.ts';
import { type Observable, useObservable } from '../../../lib/observable.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Face } from '../../../ui/face.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import nameLink from '../../../ui/name-link.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import { PostText } from '../../posts/card/post-text.tsx';
import { useRequest } from '../../session/use-request.ts';
import { alreadyDone, type DeskAct, removalOf } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { blockAllOf } from './block-all.ts';
import { DeskListEnd } from './desk-list-end.tsx';
import type { DeskList } from './desk-list.ts';
import { offerUndo } from './offer-undo.tsx';
import styles from './queue.module.css';
import { RepliedPost } from './replied-post.tsx';
import card from './reported-card.module.css';

export const nobody: LastHour = { since: 0, until: 0, posts: 0, people: 0 };

interface PendingProps {
  list: DeskList<ModeratedPending>;
  lastHour: Observable<LastHour>;
}

/** Newcomers' posts that wait: one tap lets one through. */
export function Pending({ list, lastHour }: PendingProps) {
  const { items, next, loading, failure } = useObservable(list.state);
  const recent = useObservable(lastHour);
  const [act, setAct] = useState<DeskAct | null>(null);

  const leave = (post: ModeratedPending) => list.update((all) => all.filter(({ id }) => id !== post.id));

  const remove = (post: ModeratedPending) =>
    setAct(
      removalOf(post.text, {
        async run(reason) {
          const { act_id: id } = await call(removePost, { params: post, body: { reason } });
          leave(post);
          if (id === null) showToast(alreadyDone);
          // Undone, the post is on the wall.
          else offerUndo(`Убрано: ${reason}`, id, () => void list.reload());
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

  const reload = (
    <Button busy={loading} onClick={() => void list.reload()}>
      Обновить
    </Button>
  );
  return (
    <>
      {items.length === 0 && next === null ? (
        <Notice
          title="Никто не ждёт"
          text={failure ?? 'Первые записи новичков появятся здесь, если владелец включил их проверку в Хозяйстве.'}
          action={reload}
        />
      ) : (
        <>
          <div className={styles.about}>
            <p>Первые записи новичков. Кроме авторов их никто не видит.</p>
            {recent.people > 1 && (
              <Button variant="danger" aria-haspopup="dialog" onClick={blockAll}>
                Заблокировать всех за последний час: {recent.people}
              </Button>
            )}
          </div>
          <ul className={styles.list} aria-label="Ждут проверки">
            {items.map((post) => (
              <li key={post.id}>
                <PendingCard post={post} onGone={() => leave(post)} onRemove={() => remove(post)} />
              </li>
            ))}
          </ul>
          <DeskListEnd list={list}>
            <div className={styles.end}>{reload}</div>
          </DeskListEnd>
        </>
      )}
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
  const id = useId();
  const { owner, replied_post: replied } = post;
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
    <article className={card.card} aria-labelledby={`${id}author`} aria-describedby={`${id}text`}>
      <div className={card.byline}>
        <Face id={owner.id} />
        <bdi className={nameLink.name} id={`${id}author`}>
          <a href={addresses.moderationPerson.href(owner)}>
            <PersonNames {...owner} />
          </a>
        </bdi>
      </div>
      {replied && <RepliedPost post={replied} />}
      <PostText id={`${id}text`} text={post.text} />
      <p className={card.quiet}>
        Появится и без проверки <time dateTime={machineTime(post.expires_at)}>{exactTime(post.expires_at)}</time>
      </p>
      <FormError>{error}</FormError>
      <div className={card.actions}>
        <Button variant="primary" aria-describedby={`${id}author`} busy={busy} onClick={() => void approve()}>
          Пропустить
        </Button>
        <Button variant="danger" aria-describedby={`${id}author`} aria-haspopup="dialog" onClick={onRemove}>
          Убрать
        </Button>
      </div>
    </article>
  );
}
