import { type ReactNode, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { getPin, pinPost, unpinPost } from '#contract/moderation.ts';
import type { Post } from '#contract/posts.ts';
import { isNotFound } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { type ObservableState, useObservable } from '../../../lib/observable.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import { RadioGroup } from '../../../ui/radio-group.tsx';
import { PostText } from '../../posts/card/post-text.tsx';
import { useRequest } from '../../session/use-request.ts';
import desk from './desk.module.css';
import styles from './pinning.module.css';
import { showAct } from './show-act.tsx';
import { useLeaveIfDismissed } from './use-leave-if-dismissed.ts';

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

/** The pinned post above the feed: which post it is, and how to pin another one. */
export function Pinning({ pin, wanted, isMissing }: PinningProps) {
  const now = useObservable(pin);
  const leaveIfDismissed = useLeaveIfDismissed();
  const { busy, error, send } = useRequest();
  const [term, setTerm] = useState('7');
  const isPinned = wanted !== null && wanted.id === now?.post.id;

  const carryOut = (act: () => Promise<{ act_id: string | null }>, text: string) =>
    send(async () => {
      try {
        const { act_id: actId } = await act();
        showAct(actId, text);
      } catch (failure) {
        if (isNotFound(failure) && (await leaveIfDismissed())) return;
        throw failure;
      }
      // The act has succeeded even if the page cannot be refreshed.
      const found = await call(getPin, {}).catch(() => null);
      if (found) pin.set(found.pinned);
    });

  const pinIt = ({ id }: Post) => {
    const until = term === 'none' ? null : Math.round(serverNow()) + Number(term) * day;
    return carryOut(() => call(pinPost, { body: { post_id: id, until } }), 'Закреплено');
  };

  const unpin = () => carryOut(() => call(unpinPost, { body: {} }), 'Откреплено');

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
        <PostPreview post={now.post} title="Сейчас закреплено">
          <p className={desk.quiet}>
            {now.until === null ? (
              'Пока не открепят'
            ) : (
              <>
                До <time dateTime={machineTime(now.until)}>{exactTime(now.until)}</time>
              </>
            )}
          </p>
          <Button busy={busy} onClick={() => void unpin()}>
            Открепить
          </Button>
        </PostPreview>
      )}
      {wanted && !isPinned && (
        <PostPreview post={wanted} title="Закрепить эту запись">
          {now && <p className={desk.quiet}>Она заменит то, что закреплено сейчас.</p>}
          <RadioGroup legend="На сколько" choices={terms} chosen={term} disabled={busy} onChoose={setTerm} />
          <Button variant="primary" busy={busy} onClick={() => void pinIt(wanted)}>
            Закрепить
          </Button>
        </PostPreview>
      )}
      <div className={styles.problem}>
        <FormError>{error}</FormError>
      </div>
    </>
  );
}

function PostPreview({ post, title, children }: { post: Post; title: string; children: ReactNode }) {
  return (
    <section className={styles.shown} aria-labelledby={`pin-${post.id}`}>
      <h2 id={`pin-${post.id}`} className={styles.title}>
        {title}
      </h2>
      <PostText id={`pin-text-${post.id}`} text={post.text} />
      <a href={addresses.post.href(post)} className={styles.open}>
        <PersonNames {...post.owner} />, {exactTime(post.created_at)}
      </a>
      {children}
    </section>
  );
}
