import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Post, PostPage } from '#contract/posts.ts';
import { createPostStore } from './post-store.ts';

test('a page that repeats posts adds only the new ones, in order', () => {
  const store = createPostStore();
  const list = store.openList({ kind: 'feed' }, page([post('5'), post('4')], 'after-4'));
  store.appendPage(list, page([post('4'), post('3')], null));

  const { ids, pages, next } = store.list(list)!;
  assert.deepEqual(ids, ['5', '4', '3']);
  assert.equal(pages, 2);
  assert.equal(next, null);
});

test('a post is kept once: a later answer changes it in every list and quotation', () => {
  const store = createPostStore();
  store.openList({ kind: 'feed' }, page([post('1', { text: 'было' })]));
  store.openList({ kind: 'user', userId: '7' }, page([reply('2', post('1', { text: 'стало' }))]));

  assert.equal(store.post('1')?.text, 'стало');
});

test('a quotation does not make the store forget what the quoted post answers', () => {
  const store = createPostStore();
  store.keepPost(reply('2', post('1')));
  store.keepPost(reply('3', { ...reply('2', null), text: 'изменилось' }));

  assert.equal(store.post('2')?.text, 'изменилось');
  assert.equal(store.post('2')?.actions.replied_post?.id, '1');
});

test('a failure stays until the next attempt begins', () => {
  const store = createPostStore();
  const list = store.openList({ kind: 'feed' }, page([post('1')], 'more'));
  store.beginLoading(list);
  assert.equal(store.list(list)?.loading, true);
  store.endLoading(list, 'Нет соединения');
  assert.deepEqual([store.list(list)?.loading, store.list(list)?.failure], [false, 'Нет соединения']);
  store.beginLoading(list);
  assert.equal(store.list(list)?.failure, null);
});

test('a forgotten list takes no more pages', () => {
  const store = createPostStore();
  const [kept, dropped] = [store.openList({ kind: 'feed' }, page([])), store.openList({ kind: 'feed' }, page([]))];
  store.keepOnlyLists(new Set([kept]));
  store.appendPage(dropped, page([post('1')]));

  assert.ok(store.list(kept));
  assert.equal(store.list(dropped), undefined);
});

test('subscribers hear of every change until they leave', () => {
  const store = createPostStore();
  let heard = 0;
  const leave = store.subscribe(() => heard++);
  const list = store.openList({ kind: 'feed' }, page([post('1')]));
  store.appendPage(list, page([post('2')]));
  assert.equal(heard, 2);
  leave();
  store.keepPost(post('3'));
  assert.equal(heard, 2);
});

function post(id: string, fields: Partial<Post> = {}): Post {
  return {
    id,
    text: `Запись ${id}`,
    created_at: 0,
    is_modified: false,
    owner: { id: '7', username: 'vera_s' },
    actions: {
      is_liked: false,
      likes_count: 0,
      replies_count: 0,
      parent_post_id: null,
      replied_post_id: null,
      replied_post: null,
    },
    ...fields,
  };
}

/** `answered` as a server quotes it: without the post it answers itself. */
function reply(id: string, answered: Post | null): Post {
  const { actions, ...rest } = post(id);
  const quoted = answered && { ...answered, actions: { ...answered.actions, replied_post: null } };
  return { ...rest, actions: { ...actions, replied_post_id: answered?.id ?? null, replied_post: quoted } };
}

function page(posts: Post[], next: string | null = null): PostPage {
  return { posts, firstPage: 1, lastPage: 1, total: posts.length, next };
}
