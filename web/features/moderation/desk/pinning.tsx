import { type ReactNode, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { getPin, pinPost, unpinPost } from '#contract/moderation.ts';
import type { Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { type ObservableState, useObservable } from '../../../lib/observable.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { RadioGroup } from '../../../ui/radio-group.tsx';
import { PostText } from '../../posts/card/post-text.tsx';
import { alreadyDone, type DeskAct } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import styles from './pinning.module.css';

interface Pin {
  post: Post;
  until: number | null;
}

interface PinningProps {
  pin: ObservableState<Pin | null>;
  /** The post that its menu was opened for. */
  wanted: Post | null;
  isMissing: boolean;
}

const day = 86_400;
const terms = [
  { id: '1', name: 'Сутки' },
  { id: '3', name: 'Три дня' },
  { id: '7', name: 'Неделя' },
  { id: 'none', name: 'Пока не открепят' },
];

const pinReasons = ['Важно для всех', 'Новые правила', 'Событие', 'Работы на сервере'];
const unpinReasons = ['Больше не важно', 'Ошибка', 'Будет другое объявление'];

/** The announcement above the feed: which post it is, and how to pin another one. */
export function Pinning({ pin, wanted, isMissing }: PinningProps) {
  const now = useObservable(pin);
  const [act, setAct] = useState<DeskAct | null>(null);
  const [term, setTerm] = useState('7');
  const isPinned = wanted !== null && wanted.id === now?.post.id;

  const done = async (actId: string | null, text: string) => {
    // The act has succeeded even if the page cannot be refreshed.
    const found = await call(getPin, {}).catch(() => null);
    if (found) pin.set(found.pinned);
    showToast(actId === null ? alreadyDone : text);
  };

  const pinIt = ({ id, text }: Post) =>
    setAct({
      title: 'Закрепить запись',
      about: text,
      hint: 'Зачем? Это останется в журнале.',
      reasons: pinReasons,
      isSwift: true,
      label: 'Закрепить',
      async run(reason) {
        const until = term === 'none' ? null : Math.round(serverNow()) + Number(term) * day;
        const { act_id: actId } = await call(pinPost, { body: { post_id: id, until, reason } });
        await done(actId, 'Закреплено');
      },
    });

  const unpin = ({ post }: Pin) =>
    setAct({
      title: 'Открепить запись',
      about: post.text,
      hint: 'Почему? Это останется в журнале.',
      reasons: unpinReasons,
      isSwift: true,
      label: 'Открепить',
      async run(reason) {
        const { act_id: actId } = await call(unpinPost, { body: { reason } });
        await done(actId, 'Откреплено');
      },
    });

  if (now === null && wanted === null) {
    return isMissing ? (
      <Notice title="Запись не найдена" text="Запись не существует или была удалена" />
    ) : (
      <Notice
        title="Объявления нет"
        text="Объявление — это запись, которая стоит первой в ленте у всех. Закрепить запись можно в её меню."
      />
    );
  }
  return (
    <>
      {now && (
        <Shown post={now.post} title="Сейчас закреплено">
          <p className={styles.quiet}>
            {now.until === null ? (
              'Пока не открепят'
            ) : (
              <>
                До <time dateTime={machineTime(now.until)}>{exactTime(now.until)}</time>
              </>
            )}
          </p>
          <Button aria-haspopup="dialog" onClick={() => unpin(now)}>
            Открепить
          </Button>
        </Shown>
      )}
      {wanted && !isPinned && (
        <Shown post={wanted} title="Закрепить эту запись">
          {now && <p className={styles.quiet}>Она заменит то, что закреплено сейчас.</p>}
          <RadioGroup legend="На сколько" choices={terms} chosen={term} disabled={false} onChoose={setTerm} />
          <Button variant="primary" aria-haspopup="dialog" onClick={() => pinIt(wanted)}>
            Закрепить
          </Button>
        </Shown>
      )}
      <ActDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}

function Shown({ post, title, children }: { post: Post; title: string; children: ReactNode }) {
  return (
    <section className={styles.shown} aria-labelledby={`pin-${post.id}`}>
      <h2 id={`pin-${post.id}`} className={styles.title}>
        {title}
      </h2>
      <PostText id={`pin-text-${post.id}`} text={post.text} />
      <a href={addresses.post.href(post)} className={styles.open}>
        <bdi>{post.owner.username}</bdi>, {exactTime(post.created_at)}
      </a>
      {children}
    </section>
  );
}
