import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { LastReply } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import { useNow } from '../../../lib/clock.tsx';
import { noBreaks } from '../../../lib/no-breaks.ts';
import { machineTime, relativeTime } from '../../../lib/time.ts';
import { Face } from '../../../ui/face.tsx';
import { useMuted } from '../../mutes/mutes.ts';
import styles from './last-reply.module.css';

/** One line with the beginning of the last reply of an active discussion. It leads to the reply. */
export function LastReplyLine({ reply }: { reply: LastReply }) {
  const { owner, text, created_at: at } = reply;
  const now = useNow();
  const isMuted = useMuted(owner.id);
  if (now - at > limits.lastReplySeconds) return null;
  return (
    <a href={addresses.post.href(reply)} className={styles.line} data-author={owner.id}>
      <Face id={owner.id} />
      <bdi className={styles.name}>{shownName(owner)}</bdi>
      <span className={styles.text} dir="auto">
        {isMuted ? 'Автор скрыт' : noBreaks(text)}
      </span>
      <time className={styles.time} dateTime={machineTime(at)}>
        {relativeTime(at, now)}
      </time>
    </a>
  );
}
