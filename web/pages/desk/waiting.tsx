import { addresses } from '#contract/addresses.ts';
import type { ModeratedPending } from '#contract/moderation.ts';
import { ActLink, DeskFrame } from './desk-frame.tsx';
import { Form } from '../../forms/form.tsx';
import { type Outcome, page, type PageContext, cursorIn } from '../../forms/page-module.ts';
import { alreadyDone } from '../../features/moderation/show-decision.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { useNow } from '../../lib/clock.tsx';
import { useMounted } from '../../lib/observable.ts';
import { exactTime, machineTime } from '../../lib/time.ts';
import { waitText } from '../../lib/counts.ts';
import { NextLink } from '../../ui/next-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import card from './desk-card.module.css';
import { DeskCard } from './desk-card.tsx';
import desk from './desk.module.css';

/** Newcomers' posts that wait for a moderator. One tap publishes a post. */
export const waiting = page({
  load: ({ call, query }) => call('GET /moderation/waiting', { query: cursorIn(query) }),
  View({ user, query, posts, next, last_hour: { people, since, until } }) {
    return (
      <DeskFrame section="waiting">
        {user.role === 'owner' && (
          <p className={desk.about}>
            <a href={addresses.keep.href({}, { part: 'order' })} className={desk.link}>
              Кто ждёт и как долго
            </a>
          </p>
        )}
        {posts.length === 0 ? (
          <Notice
            title="Никто не ждёт"
            text="Первые записи новичков появятся здесь, если владелец включил их проверку в Хозяйстве."
          />
        ) : (
          <>
            <div className={desk.about}>
              <p>Первые записи новичков. Кроме авторов их никто не видит.</p>
              {people > 1 && (
                <ActLink name="block-waiting" of={`${since}-${until}`} variant="danger">
                  {`Заблокировать всех за последний час: ${people}`}
                </ActLink>
              )}
            </div>
            <ul className={desk.list} aria-label="Ждут проверки">
              {posts.map((post) => (
                <li key={post.id}>
                  <PendingCard post={post} />
                </li>
              ))}
            </ul>
            <NextLink query={query} next={next} />
          </>
        )}
      </DeskFrame>
    );
  },
  acts: { approve },
});

async function approve({ call }: PageContext, { id = '' }: { id?: string }): Promise<Outcome> {
  try {
    const { post_id: postId } = await call('POST /moderation/posts/{id}/approval', { params: { id } });
    if (postId === null) return { message: 'Отвечать уже не на что: автор это увидит', decision: {} };
    const link = { href: addresses.post.href({ id: postId }), text: 'Смотреть' };
    return { message: 'Теперь запись видна всем', link, decision: {} };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { message: alreadyDone, decision: { id: null } };
  }
}

function PendingCard({
  post: { id: of, owner, text, replied_post: replied, expires_at: at },
}: {
  post: ModeratedPending;
}) {
  const now = useNow();
  const mounted = useMounted();
  const id = `pending-${of}`;
  const describedBy = `${id}-author`;
  return (
    <DeskCard {...{ id, author: owner, replied, text }}>
      <p className={desk.quiet}>
        Появится и без проверки{' '}
        <time dateTime={machineTime(at)}>{mounted ? exactTime(at) : `через ${waitText(at - now)}`}</time>
      </p>
      <div className={card.actions}>
        <Form act="approve" id={of} submit="Показать всем" describedBy={describedBy} isInline />
        <ActLink name="refuse" of={of} variant="danger" describedBy={describedBy}>
          Убрать
        </ActLink>
      </div>
    </DeskCard>
  );
}
