import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import { PostText, ShortText } from '../../features/posts/card/post-text.tsx';
import { page, cursorIn } from '../../forms/page-module.ts';
import { call } from '../../lib/api.ts';
import { useNow } from '../../lib/clock.tsx';
import { useMounted } from '../../lib/observable.ts';
import { exactTime, machineTime, relativeTime } from '../../lib/time.ts';
import button from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { NextLink } from '../../ui/next-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import { useRefresh } from '../page-contexts.ts';
import { ActLink, DeskFrame } from './desk-frame.tsx';
import card from './desk-card.module.css';
import { DeskCard } from './desk-card.tsx';
import desk from './desk.module.css';
import styles from './reported-card.module.css';

interface ReportedCardProps {
  post: ReportedPost;
  /** The names of the reasons for reports, by id. */
  reasons: ReadonlyMap<string, string>;
  isOwn: boolean;
}

const states = {
  visible: null,
  changed: 'Текст с тех пор изменён',
  removed: 'Запись уже убрана со стены',
  deleted: 'Автор удалил запись',
};

/** A reported post with the acts on it and its author. */
function ReportedCard({ post, reasons, isOwn }: ReportedCardProps) {
  const { post_id: of, author, state, text, replied_post: replied, current_text: current } = post;
  const id = `reported-${of}`;
  const isOnWall = state === 'visible' || state === 'changed';
  const describedBy = `${id}-author`;
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
      {isOwn ? (
        <p className={desk.quiet}>
          Это ваша запись: решить о ней может другой модератор или оператор. Кто пожаловался, видят только они.
        </p>
      ) : (
        <div className={card.actions}>
          {isOnWall && (
            <ActLink name="remove" of={of} variant="danger" describedBy={describedBy}>
              Убрать со стены
            </ActLink>
          )}
          <ActLink name="dismiss" of={of} describedBy={describedBy}>
            Оставить
          </ActLink>
          <ActLink name="warn" of={author.username} describedBy={describedBy}>
            Предупредить
          </ActLink>
          {!author.is_blocked && (
            <ActLink name="block" of={author.username} describedBy={describedBy}>
              Заблокировать
            </ActLink>
          )}
        </div>
      )}
    </DeskCard>
  );
}

const shownReports = 3;

/** The reports with reporter, time and reason. The reporter of one's own post is hidden. */
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
    <time dateTime={machineTime(at)} title={useMounted() ? exactTime(at) : undefined}>
      {relativeTime(at, now)}
    </time>
  );
}

/** A link to the post, or else to the post it replies to, if that is on the wall. */
function Around({ post, isOnWall }: { post: ReportedPost; isOnWall: boolean }) {
  const id = isOnWall ? post.post_id : post.replied_post?.id;
  if (id === undefined) return null;
  return (
    <a href={addresses.post.href({ id })} className={styles.around}>
      Обсуждение вокруг
    </a>
  );
}

const path = addresses.moderation.href();
const countedTo = 1_000;
const counted = (n: number) => (n === countedTo ? `больше ${countedTo}` : n);

/** The reported posts that wait for a decision. With `state=settled` in the query, those about which one was made. */
export const queue = page({
  async load({ call: ask, query }) {
    const state = query.get('state') === 'settled' ? ('settled' as const) : ('open' as const);
    const [reported, { reasons }] = await Promise.all([
      ask('GET /moderation/reports', { query: { state, ...cursorIn(query) } }),
      ask('GET /reports/reasons', {}),
    ]);
    return { ...reported, state, reasons };
  },
  View({ user, query, state, reports, reasons, next, open, settled }) {
    if (state === 'settled') return <Settled posts={reports} query={query} next={next} />;
    const names = new Map(reasons.map(({ id, name }) => [id, name]));
    return (
      <DeskFrame section="queue">
        {reports.length > 0 ? (
          <>
            <p className={desk.about}>Записей с жалобами: {counted(open)}. Сначала те, что ждут дольше.</p>
            <ul className={desk.list} aria-label="Жалобы">
              {reports.map((post) => (
                <li key={post.post_id}>
                  <ReportedCard post={post} reasons={names} isOwn={post.author.id === user.id} />
                </li>
              ))}
            </ul>
            <NextLink query={query} next={next} />
            {next === null && <End open={open} />}
          </>
        ) : open > 0 ? (
          <Notice title="Здесь всё разобрано" action={<Again>К началу списка</Again>} />
        ) : (
          <Empty />
        )}
        {settled > 0 && (
          <p className={desk.about}>
            <a href={`${path}?state=settled`} className={desk.link}>
              Рассмотрено: {counted(settled)}
            </a>
          </p>
        )}
      </DeskFrame>
    );
  },
});

const Again = ({ children }: { children: ReactNode }) => (
  <a href={path} className={button.button} data-variant="quiet">
    {children}
  </a>
);

/** The number of posts that were reported after the page with `open` waiting posts was loaded. */
function useFresh(open: number): number {
  const [found, setFound] = useState({ open, after: open });
  const check = useEffectEvent(async () => {
    if (document.hidden) return;
    const { open: now } = await call('GET /moderation/reports', { query: { limit: '1' } });
    setFound({ open: now, after: open });
  });
  useEffect(() => {
    const timer = setInterval(() => void check().catch(() => {}), limits.pollMs);
    return () => clearInterval(timer);
  }, []);
  // A number from before a decision includes the decided post, so it is not used.
  return found.after === open ? Math.max(0, found.open - open) : 0;
}

function End({ open }: { open: number }) {
  const refresh = useRefresh();
  const fresh = useFresh(open);
  return (
    <div className={desk.end}>
      <p>{fresh > 0 ? 'С тех пор пожаловались ещё.' : 'Это все жалобы.'}</p>
      {fresh > 0 ? (
        <Button variant="primary" onClick={() => void refresh()}>
          Новые жалобы: {fresh}
        </Button>
      ) : (
        <Again>Обновить</Again>
      )}
    </div>
  );
}

/** The notice of an empty queue. It loads the page again when a post is reported. */
function Empty() {
  const refresh = useRefresh();
  const isFilled = useFresh(0) > 0;
  useEffect(() => {
    if (isFilled) void refresh();
  }, [isFilled, refresh]);
  return (
    <Notice
      title="Жалоб нет"
      text="Всё разобрано. Когда кто-нибудь пожалуется на запись, она появится здесь."
      action={<Again>Обновить</Again>}
    />
  );
}

const results: Record<ReportedPost['state'], string> = {
  visible: 'оставлена',
  changed: 'оставлена',
  removed: 'убрана со стены',
  deleted: 'удалена автором',
};

interface SettledProps extends ComponentProps<typeof NextLink> {
  posts: readonly ReportedPost[];
}

function Settled({ posts, query, next }: SettledProps) {
  return (
    <DeskFrame section="queue">
      <p className={desk.about}>
        <a href={path} className={desk.link}>
          Только открытые
        </a>
        . Отменить решение можно в{' '}
        <a href={addresses.moderationJournal.href()} className={desk.link}>
          журнале
        </a>
        .
      </p>
      <ul className={desk.list} aria-label="Рассмотренные">
        {posts.map(({ post_id: id, author, text, state }) => (
          <li key={id} id={`settled-${id}`} tabIndex={-1} className={desk.row}>
            <p className={desk.quiet}>
              <PersonNames {...author} /> · {results[state]}
            </p>
            <p dir="auto">
              <ShortText text={text} />
            </p>
            {state === 'removed' && (
              <ActLink name="restore" of={id} describedBy={`settled-${id}`}>
                Вернуть на стену
              </ActLink>
            )}
          </li>
        ))}
      </ul>
      <NextLink query={query} next={next} />
    </DeskFrame>
  );
}
