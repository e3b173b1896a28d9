import type { ReactNode } from 'react';
import { type Address, addresses } from '#contract/addresses.ts';
import { listBookmarks } from '#contract/bookmarks.ts';
import { listFollowing, listNotifications, type NotificationKind, readNotifications } from '#contract/notifications.ts';
import { shownContact } from '#contract/keep-settings.ts';
import {
  deletePost,
  listOwnReplies,
  listPosts,
  listRemoved,
  type Post,
  type RemovedPost,
  restorePost,
} from '#contract/posts.ts';
import { searchPosts } from '#contract/search.ts';
import { pendingText } from '../features/posts/card/pending-text.ts';
import { newOnes, plural } from '../lib/plural.ts';
import { Field, Form } from './form.tsx';
import { NextLink } from './next-link.tsx';
import { act, type PlainContext, plainPage } from './plain-page.ts';
import { PostView } from './post-view.tsx';

interface PlainList {
  posts: readonly Post[];
  next: string | null;
}

interface ListOptions {
  context: PlainContext;
  empty?: string;
  noteOf?: (post: Post, index: number) => string | undefined;
}

function posts({ posts: shown, next }: PlainList, options: ListOptions): ReactNode {
  const { context, empty = 'Записи не найдены', noteOf } = options;
  return (
    <>
      {shown.length === 0 && <p>{empty}</p>}
      {shown.map((post, index) => (
        <PostView key={post.id} post={post} now={context.now} note={noteOf?.(post, index)} />
      ))}
      <NextLink context={context} next={next} />
    </>
  );
}

function pagingOf({ query }: PlainContext) {
  const cursor = query.get('cursor');
  return cursor === null ? {} : { cursor };
}

const removedByKeepers = ({ id, text, reason }: RemovedPost) => (
  <article key={id}>
    <p className="text">{text}</p>
    <p className="quiet">Убрано со стены теми, кто её ведёт. Причина: {reason}</p>
  </article>
);

/** A list of one's own posts begins with those that wait, those just deleted and those that a moderator has removed. */
async function withdrawn({ call, now, query }: PlainContext, areReplies: boolean): Promise<ReactNode> {
  if (query.has('cursor')) return null;
  const { deleted, posts: removed, pending } = await call(listRemoved, {});
  const belongs = (post: { replied_post_id: string | null }) => (post.replied_post_id !== null) === areReplies;
  return (
    <>
      {removed.filter(belongs).map(removedByKeepers)}
      {pending.filter(belongs).map((post) => (
        <article key={post.id}>
          <p className="text">{post.text}</p>
          <p className="quiet">{pendingText(post)}</p>
          <Form act="delete" id={post.id} submit="Удалить навсегда" isQuiet />
        </article>
      ))}
      {deleted
        .filter((post) => belongs(post) && now <= post.restorable_until)
        .map(({ id, text }) => (
          <article key={id}>
            <p className="text">Удалено: {text}</p>
            <Form act="restore" id={id} submit="Вернуть" isQuiet />
          </article>
        ))}
    </>
  );
}

interface OwnListOptions {
  address: Address;
  heading: string;
  areReplies?: boolean;
  load(context: PlainContext): Promise<PlainList>;
}

const ownList = ({ address, heading, areReplies, load }: OwnListOptions) =>
  plainPage({
    address,
    access: 'user',
    async show(context) {
      const [list, above] = await Promise.all([
        load(context),
        areReplies === undefined ? null : withdrawn(context, areReplies),
      ]);
      return { heading, body: [above, posts(list, { context })] };
    },
    acts: {
      delete: act('Удалено', ({ call }, { id = '' }) => call(deletePost, { params: { id } })),
      restore: act('Возвращено', ({ call }, { id = '' }) => call(restorePost, { params: { id } })),
    },
  });

const notes: Record<NotificationKind, string> = {
  answer: 'ответ вам',
  mention: 'упоминание',
  followed: 'новое в обсуждении',
};

const notifications = plainPage({
  address: addresses.notifications,
  access: 'user',
  async show(context) {
    const { call, query } = context;
    const { contact } = context.settings;
    const page = await call(listNotifications, { query: pagingOf(context) });
    const newest = page.posts[0]?.id;
    const isFirst = !query.has('cursor');
    const removed = isFirst ? (await call(listRemoved, {})).posts.filter(({ is_new: isNew }) => isNew) : [];
    const noteOf = (_: Post, index: number) =>
      notes[page.kinds[index]!] + (isFirst && index < page.unread ? ', новое' : '');
    const body = (
      <>
        {removed.map(removedByKeepers)}
        {removed.length > 0 && (
          <>
            <p>
              Если это ошибка, напишите тем, кто ведёт стену: <a href={contact}>{shownContact(contact)}</a>
            </p>
            <Form act="read" id={removed[0]!.id} submit="Понятно" isQuiet />
          </>
        )}
        {isFirst && newest !== undefined && page.unread > 0 && (
          <>
            <p>Непрочитанных: {page.unread}</p>
            <Form act="read" id={newest} submit="Отметить прочитанными" isQuiet />
          </>
        )}
        {posts(page, { context, empty: 'Уведомлений пока нет', noteOf })}
      </>
    );
    return { heading: 'Уведомления', body };
  },
  acts: {
    read: act('Прочитано', ({ call }, { id = '' }) => call(readNotifications, { body: { up_to: id } })),
  },
});

/** Only where the search is for signed-in people: then its public page finds nothing without scripts. */
export const search = plainPage({
  address: addresses.search,
  access: 'user',
  async show(context) {
    const { call, query } = context;
    const q = query.get('q')?.trim() ?? '';
    const body = (
      <>
        <form action={addresses.search.href()}>
          <Field name="q" label="Поиск по записям" value={q} />
          <button type="submit">Найти</button>
        </form>
        {q !== '' &&
          posts(await call(searchPosts, { query: { q, ...pagingOf(context) } }), {
            context,
            empty: 'Ничего не нашлось',
          })}
      </>
    );
    return { heading: 'Поиск', body };
  },
});

const following = plainPage({
  address: addresses.following,
  access: 'user',
  async show(context) {
    const { discussions, next } = await context.call(listFollowing, { query: pagingOf(context) });
    const counts = discussions.map(({ new_count: count }) => count);
    const options: ListOptions = {
      context,
      empty: 'Вы ни за чем не следите',
      noteOf: (_, index) => (counts[index]! > 0 ? `+${plural(counts[index]!, newOnes)}` : undefined),
    };
    return { heading: 'Слежу', body: posts({ posts: discussions.map(({ post }) => post), next }, options) };
  },
});

export const lists = [
  ownList({
    address: addresses.ownPosts,
    heading: 'Мои записи',
    areReplies: false,
    load: (it) => it.call(listPosts, { query: { userId: it.user!.id, ...pagingOf(it) } }),
  }),
  ownList({
    address: addresses.ownReplies,
    heading: 'Мои ответы',
    areReplies: true,
    load: (it) => it.call(listOwnReplies, { query: pagingOf(it) }),
  }),
  ownList({
    address: addresses.liked,
    heading: 'Понравившиеся',
    load: (it) => it.call(listPosts, { query: { filter: 'liked', ...pagingOf(it) } }),
  }),
  ownList({
    address: addresses.saved,
    heading: 'Сохранённое',
    load: (it) => it.call(listBookmarks, { query: pagingOf(it) }),
  }),
  notifications,
  following,
];
