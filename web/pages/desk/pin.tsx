import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { DeskFrame } from './desk-frame.tsx';
import { PostText } from '../../features/posts/card/post-text.tsx';
import { Choices } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { page } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { useNow } from '../../lib/clock.tsx';
import { useMounted } from '../../lib/observable.ts';
import { exactTime, machineTime } from '../../lib/time.ts';
import { waitText } from '../../lib/counts.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import desk from './desk.module.css';
import styles from './pin.module.css';

const day = 86_400;

const terms = [
  { id: '1', name: 'Сутки' },
  { id: '3', name: 'Три дня' },
  { id: '7', name: 'Неделя' },
  { id: 'none', name: 'Пока не открепят' },
];
const usualTerm = '7';

/** The pinned post above the feed, and the form that pins another one. The menu of a post leads here with its id in `q`. */
export const pin = page({
  async load({ call, query }) {
    const id = query.get('q') ?? '';
    const [{ pinned }, wanted] = await Promise.all([
      call('GET /moderation/pin', {}),
      id === ''
        ? null
        : call('GET /posts/{id}', { params: { id } }).catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
            return undefined;
          }),
    ]);
    return { pinned, wanted };
  },
  View: ({ pinned, wanted }) => (
    <DeskFrame section="pin">
      {pinned && (
        <Preview post={pinned.post} title="Сейчас закреплено">
          <Until at={pinned.until} />
          <Form act="unpin" submit="Открепить" variant="quiet" isInline />
        </Preview>
      )}
      {wanted && wanted.id !== pinned?.post.id && (
        <Preview post={wanted} title="Закрепить эту запись">
          {pinned && <p className={desk.quiet}>Она заменит то, что закреплено сейчас.</p>}
          <Form act="pin" submit="Закрепить">
            <Choices name="term" legend="На сколько" choices={terms} chosen={usualTerm} />
          </Form>
        </Preview>
      )}
      {!pinned &&
        !wanted &&
        (wanted === undefined ? (
          <Notice title="Запись не найдена" text="Запись не существует или была удалена" />
        ) : (
          <Notice
            title="Объявления нет"
            text="Объявление — это запись, которая стоит первой в ленте у всех. Закрепить запись можно в её меню."
          />
        ))}
    </DeskFrame>
  ),
  acts: {
    async pin({ call, query, now }, { term = usualTerm }) {
      const until = term === 'none' ? null : Math.round(now()) + Number(term) * day;
      const { act_id: id } = await call('PUT /moderation/pin', { body: { post_id: query.get('q') ?? '', until } });
      return { message: 'Закреплено', decision: { id } };
    },
    async unpin({ call }) {
      const { act_id: id } = await call('DELETE /moderation/pin', { body: {} });
      return { message: 'Откреплено', decision: { id }, to: addresses.moderationPin.href() };
    },
  },
});

function Until({ at }: { at: number | null }) {
  const now = useNow();
  const mounted = useMounted();
  return (
    <p className={desk.quiet}>
      {at === null ? (
        'Пока не открепят'
      ) : mounted ? (
        <>
          До <time dateTime={machineTime(at)}>{exactTime(at)}</time>
        </>
      ) : (
        `Ещё ${waitText(at - now)}`
      )}
    </p>
  );
}

function Preview({ post, title, children }: { post: Post; title: string; children: ReactNode }) {
  return (
    <section className={styles.shown} aria-labelledby={`pin-${post.id}`}>
      <h2 id={`pin-${post.id}`} className={styles.title}>
        {title}
      </h2>
      <PostText id={`pin-text-${post.id}`} text={post.text} />
      <a href={addresses.post.href(post)} className={styles.open}>
        <PersonNames {...post.owner} />, <LocalTime at={post.created_at} />
      </a>
      {children}
    </section>
  );
}
