import { useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import { useNow } from '../../../lib/clock.tsx';
import { exactTime, machineTime, relativeTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Face } from '../../../ui/face.tsx';
import nameLink from '../../../ui/name-link.module.css';
import { PersonNames } from '../../../ui/person-names.tsx';
import { PostText } from '../../posts/card/post-text.tsx';
import { useSessionState } from '../../session/session.ts';
import { RepliedPost } from './replied-post.tsx';
import styles from './reported-card.module.css';

interface ReportedCardProps {
  post: ReportedPost;
  reasons: ReadonlyMap<string, string>;
  onRemove: (post: ReportedPost) => void;
  onDismiss: (post: ReportedPost) => void;
  onWarn: (post: ReportedPost) => void;
  onBlock: (post: ReportedPost) => void;
}

const states = {
  visible: null,
  changed: 'Текст с тех пор изменён',
  removed: 'Запись уже убрана со стены',
  deleted: 'Автор удалил запись',
};

export const reportedId = ({ post_id: id }: Pick<ReportedPost, 'post_id'>): string => `reported-${id}`;

/** A reported post and what can be done about it, at the lower edge, where a thumb reaches it. */
export function ReportedCard({ post, reasons, onRemove, onDismiss, onWarn, onBlock }: ReportedCardProps) {
  const id = useId();
  const { author, state, replied_post: replied, current_text: current } = post;
  const session = useSessionState();
  const isOwn = session.is === 'authorized' && session.user.id === author.id;
  const isOnWall = state === 'visible' || state === 'changed';

  return (
    <article
      className={styles.card}
      tabIndex={-1}
      id={reportedId(post)}
      aria-labelledby={`${id}author`}
      aria-describedby={`${id}text`}
    >
      <div className={styles.byline}>
        <Face id={author.id} />
        <bdi className={nameLink.name} id={`${id}author`}>
          <a href={addresses.moderationPerson.href(author)}>
            <PersonNames {...author} />
          </a>
        </bdi>
        {author.is_blocked && <span className={styles.mark}>заблокирован</span>}
      </div>
      {states[state] !== null && <p className={styles.state}>{states[state]}</p>}
      {replied && <RepliedPost post={replied} />}
      <PostText id={`${id}text`} text={post.text} />
      {state === 'changed' && current !== null && (
        <div className={styles.current}>
          <p className={styles.quiet}>Сейчас:</p>
          <PostText id={`${id}current`} text={current} />
        </div>
      )}
      <Reports post={post} reasons={reasons} />
      <Around post={post} isOnWall={isOnWall} />
      {isOwn && (
        <p className={styles.quiet}>
          Это ваша запись: решить о ней может другой модератор или оператор. Кто пожаловался, видят только они.
        </p>
      )}
      <div className={styles.actions} hidden={isOwn}>
        {isOnWall && (
          <Button
            variant="danger"
            aria-describedby={`${id}author`}
            aria-haspopup="dialog"
            onClick={() => onRemove(post)}
          >
            Убрать со стены
          </Button>
        )}
        <Button aria-describedby={`${id}author`} aria-haspopup="dialog" onClick={() => onDismiss(post)}>
          Оставить
        </Button>
        <Button aria-describedby={`${id}author`} aria-haspopup="dialog" onClick={() => onWarn(post)}>
          Предупредить
        </Button>
        {!author.is_blocked && (
          <Button aria-describedby={`${id}author`} aria-haspopup="dialog" onClick={() => onBlock(post)}>
            Заблокировать
          </Button>
        )}
      </div>
    </article>
  );
}

const shownReports = 3;

/** Who reported the post, when and why; of one's own post only when and why. */
function Reports({ post, reasons }: { post: ReportedPost; reasons: ReadonlyMap<string, string> }) {
  const open = post.reports.filter((report) => report.open);
  const rest = open.slice(shownReports);
  const show = (reports: typeof open) => (
    <ul className={styles.reports}>
      {reports.map(({ by, at, reason_id: reasonId, comment }, index) => (
        <li key={index}>
          {reasons.get(reasonId) ?? 'Другое'} · {by !== null && <bdi>{by}</bdi>}
          {by !== null && ' · '}
          <ReportTime at={at} />
          {comment !== null && (
            <p className={styles.comment} dir="auto">
              {comment}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <div className={styles.quiet}>
      <p>Жалоб: {post.open}</p>
      {show(open.slice(0, shownReports))}
      {rest.length > 0 && (
        <details>
          <summary className={styles.rest}>
            <span>Ещё {rest.length}</span>
            <span>Свернуть</span>
          </summary>
          {show(rest)}
        </details>
      )}
    </div>
  );
}

function ReportTime({ at }: { at: number }) {
  const now = useNow();
  return (
    <time dateTime={machineTime(at)} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

/** The link to the discussion, as far as it is on the wall. */
function Around({ post, isOnWall }: { post: ReportedPost; isOnWall: boolean }) {
  const id = isOnWall ? post.post_id : post.replied_post?.id;
  if (id === undefined) return null;
  return (
    <a href={addresses.post.href({ id })} className={styles.around}>
      Обсуждение вокруг
    </a>
  );
}
