import { addresses } from '#contract/addresses.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import { useNow } from '../../../lib/clock.tsx';
import { exactTime, machineTime, relativeTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { PostText } from '../../posts/card/post-text.tsx';
import { useSessionState } from '../../session/session.ts';
import card from './desk-card.module.css';
import { DeskCard } from './desk-card.tsx';
import desk from './desk.module.css';
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

/** A reported post and what can be done about it. */
export function ReportedCard({ post, reasons, onRemove, onDismiss, onWarn, onBlock }: ReportedCardProps) {
  const id = reportedId(post);
  const { author, state, text, replied_post: replied, current_text: current } = post;
  const session = useSessionState();
  const isOwn = session.is === 'authorized' && session.user.id === author.id;
  const isOnWall = state === 'visible' || state === 'changed';

  const opens = { 'aria-describedby': `${id}-author`, 'aria-haspopup': 'dialog' } as const;
  const mark = author.is_blocked && 'заблокирован';

  return (
    <DeskCard {...{ id, author, mark, replied, text }} state={states[state]}>
      {state === 'changed' && current !== null && (
        <div className={styles.current}>
          <p className={desk.quiet}>Сейчас:</p>
          <PostText id={`${id}-current`} text={current} />
        </div>
      )}
      <Reports post={post} reasons={reasons} />
      <Around post={post} isOnWall={isOnWall} />
      {isOwn && (
        <p className={desk.quiet}>
          Это ваша запись: решить о ней может другой модератор или оператор. Кто пожаловался, видят только они.
        </p>
      )}
      <div className={card.actions} hidden={isOwn}>
        {isOnWall && (
          <Button variant="danger" {...opens} onClick={() => onRemove(post)}>
            Убрать со стены
          </Button>
        )}
        <Button {...opens} onClick={() => onDismiss(post)}>
          Оставить
        </Button>
        <Button {...opens} onClick={() => onWarn(post)}>
          Предупредить
        </Button>
        {!author.is_blocked && (
          <Button {...opens} onClick={() => onBlock(post)}>
            Заблокировать
          </Button>
        )}
      </div>
    </DeskCard>
  );
}

const shownReports = 3;

/** The reports: by whom, when and why; for one's own post only when and why. */
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
    <div className={desk.quiet}>
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
