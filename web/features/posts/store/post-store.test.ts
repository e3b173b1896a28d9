import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { limits } from '#contract/limits.ts';
import { openStore, samplePage, samplePost, sampleReply } from '../../../../test/kit/web/sample-posts.ts';
import { setTokenSource } from '../../../lib/api.ts';
import { createLikes } from './own-likes.ts';
import { saveForRestoration, showRestored } from './restored-posts.ts';

const vera = { id: '7', username: 'vera_new', display_name: null, face: null };
const anna = { id: '8', username: 'anna_k', display_name: null, face: null };

describe('posts', () => {
  test('are stored once: a later response changes one in every list and quotation, and keeps what it answers', () => {
    const { store, open, actions } = openStore();
    const second = sampleReply('2', samplePost('1'));
    open({ kind: 'feed' }, [second]);
    open({ kind: 'own-replies' }, [sampleReply('3', { ...second, text: 'стало' })]);
    assert.deepEqual([store.post('2')?.text, actions('2').replied_post?.id], ['стало', '1']);
  });

  test('have the new name of their owner at once, also in quotations, unless they have it already', () => {
    const { store, actions } = openStore();
    store.storePost(sampleReply('2', samplePost('1')));
    store.storePost(sampleReply('4', samplePost('3', { owner: anna })));
    let changes = 0;
    store.content.subscribe(() => (changes += 1));
    store.renameOwner(vera);
    const name = (id: string) => store.post(id)?.owner.username;
    assert.deepEqual(['1', '2', '3', '4'].map(name), ['vera_new', 'vera_new', 'anna_k', 'vera_new']);
    const quoted = ['2', '4'].map((id) => actions(id).replied_post?.owner.username);
    assert.deepEqual([quoted, changes], [['vera_new', 'anna_k'], 1]);
    const before = store.post('2');
    store.renameOwner(vera);
    store.renameOwner({ ...anna, id: '9' });
    assert.deepEqual([store.post('2') === before, changes], [true, 1]);
    store.renameOwner({ ...vera, face: '🦊' });
    assert.deepEqual([store.post('4')?.owner.face, changes], ['🦊', 2]);
  });

  test('have the rule about replies that an event says, and the feed the pinned post of the page loaded after one', () => {
    const { store, updates, open, apply, actions } = openStore();
    const feed = open({ kind: 'feed' }, ['1']);
    apply({ rules: [{ id: '1', is_closed: true, closed_by: 'author', rule: 'закрыто' }] });
    assert.deepEqual([actions('1').is_closed, actions('1').rule], [true, 'закрыто']);
    apply({ rules: [{ id: '1', pace: 60, rule: 'медленно' }] });
    assert.deepEqual([actions('1').is_closed, actions('1').closed_by, actions('1').pace], [undefined, undefined, 60]);
    assert.equal(store.list(feed)!.stale, false);
    apply({ pinned: true });
    assert.equal(store.list(feed)!.stale, true);
    for (const pinned of [samplePost('9'), null]) {
      updates.refreshList(
        feed,
        { ...samplePage(['1']), pinned },
        updates.beginRefresh(feed, () => false),
      );
      assert.equal(store.list(feed)!.pinned, pinned);
    }
  });

  test('are dropped with their list, unless another list shows or quotes them or is their discussion', () => {
    const { store, open, openThread, ids } = openStore();
    const dropped = open({ kind: 'feed' }, ['1', '2', '3', '4']);
    const thread = openThread(samplePost('3'));
    const own = open({ kind: 'own-replies' }, [sampleReply('9', samplePost('2'))]);
    const feed = open({ kind: 'feed' }, ['1']);
    store.retainLists(new Set([thread, own, feed]));
    store.appendPage(dropped, samplePage(['5']));
    assert.equal(ids(dropped), undefined);
    assert.equal(['1', '2', '3', '4', '9'].filter((id) => store.post(id)).join(), '1,2,3,9');
  });

  test('that a list has already stand there once, with the specified error in the log', (t) => {
    const logged = t.mock.method(console, 'error', () => {});
    const { store, open, ids } = openStore();
    const list = open({ kind: 'user', userId: '7' }, ['1']);
    for (const id of ['2', '2', '1']) store.addPost(samplePost(id));
    store.appendPage(list, samplePage(['2', '0']));
    assert.deepEqual(ids(list), ['2', '1', '0']);
    const said = logged.mock.calls.map(({ arguments: [message] }) => message);
    assert.deepEqual(
      said,
      ['2', '1', '2'].map((id) => `Пост с id=${id} уже существует`),
    );
  });
});

describe('a removed post', () => {
  test('disappears from every list, from quotations and once from the count of the post it replies to', () => {
    const { store, open, openThread, ids, actions } = openStore();
    const root = samplePost('1', { actions: { replies_count: 2 } });
    const reply = sampleReply('2', root);
    const [feed, thread] = [open({ kind: 'feed' }, [root]), openThread(root, [reply])];
    store.storePost(sampleReply('3', reply));
    store.removePost('2');
    store.removePost('2');
    assert.deepEqual([ids(feed), ids(thread), store.post('2')], [['1'], [], undefined]);
    assert.deepEqual([actions('3').replied_post, actions('3').replied_post_id], [null, '2']);
    assert.equal(actions('1').replies_count, 1);
  });

  test('does not come back with a response that was requested before', () => {
    const { store, updates, open, apply, ids, waiting, actions } = openStore();
    const list = open({ kind: 'feed' }, ['2', '1'], 'more');
    store.removePost('1');
    store.storePost(samplePost('1'));
    store.storePost(sampleReply('3', samplePost('1')));
    store.appendPage(list, samplePage(['1']));
    updates.showNewest(list, samplePage(['2', '1']));
    updates.refreshList(list, samplePage(['2', '1']), new Map());
    apply({ posts: [{ id: '1', owner_id: '7' }] });
    assert.deepEqual([store.post('1'), actions('3').replied_post], [undefined, null]);
    assert.deepEqual([ids(list), waiting(list)], [['2'], []]);
    assert.deepEqual(ids(open({ kind: 'feed' }, ['2', '1'])), ['2']);
  });
});

describe('a post that returns', () => {
  test('takes its place in every list that has shown it, also next to others that were deleted', () => {
    const { store, open, apply, ids } = openStore();
    const feed = open({ kind: 'feed' }, ['9', '7', '5', '3'], 'more');
    const liked = open({ kind: 'liked' }, ['9', '3', '7']);
    const user = open({ kind: 'user', userId: '7' }, ['9']);
    apply({ deleted: ['9', '7', '5'] });
    assert.deepEqual(ids(feed), ['3']);
    for (const id of ['7', '9', '5', '5']) apply({ restored: [id] });
    assert.deepEqual([ids(feed), store.list(feed)!.total], [['9', '7', '5', '3'], 4]);
    assert.deepEqual(ids(liked), ['9', '3', '7']);
    assert.deepEqual([ids(user), store.list(user)!.total], [['9', '7', '5'], 3]);
  });

  test('finds its place in a list that was loaded meanwhile, unless that ends above it', () => {
    const { store, open, ids } = openStore();
    open({ kind: 'feed' }, ['9', '7', '5']);
    for (const id of ['7', '5']) {
      saveForRestoration(store, id);
      store.removePost(id);
    }
    const whole = open({ kind: 'feed' }, ['9', '3']);
    const beginning = open({ kind: 'feed' }, ['9', '6'], 'more');
    const liked = open({ kind: 'liked' }, ['9']);
    showRestored(store, '7', '7', samplePost('7', { text: 'с сервера' }));
    showRestored(store, '5', '7', samplePost('5'));
    assert.deepEqual([whole, beginning, liked].map(ids), [['9', '7', '5', '3'], ['9', '7', '6'], ['9']]);
    assert.equal(store.post('7')!.text, 'с сервера');
  });

  test('is quoted and counted again, once, whichever of event and response comes first', () => {
    const { store, open, apply, ids, actions } = openStore();
    const root = samplePost('1', { actions: { replies_count: 1 } });
    const reply = sampleReply('2', root);
    open({ kind: 'feed' }, [root]);
    const own = open({ kind: 'own-replies' }, [sampleReply('3', reply), reply]);
    saveForRestoration(store, '2');
    store.removePost('2');
    assert.deepEqual([actions('3').replied_post, actions('1').replies_count], [null, 0]);
    apply({ restored: ['2'], counts: [{ id: '1', likes_count: 0, replies_count: 1, thread_count: 2 }] });
    showRestored(store, '2', '7', reply);
    assert.deepEqual([actions('3').replied_post!.id, actions('1').replies_count, ids(own)], ['2', 1, ['3', '2']]);
  });

  test('takes its place in a discussion, with the replies below it', () => {
    const { store, openThread, apply, ids } = openStore();
    const root = samplePost('1');
    const list = openThread(root, [sampleReply('5', root), sampleReply('3', root)]);
    apply({ deleted: ['3', '5'] });
    assert.deepEqual([ids(list), store.list(list)!.total], [[], 0]);
    apply({ restored: ['3', '5'] });
    assert.deepEqual([ids(list), store.list(list)!.total], [['5', '3'], 2]);
    apply({ deleted: ['1'] });
    assert.equal(store.post('1'), undefined);
    apply({ restored: ['1'] });
    assert.equal(store.post('1')!.id, '1');
  });

  test('that was waiting to be shown is looked for again', () => {
    const { store, open, apply, waiting } = openStore();
    const [feed, other] = [open({ kind: 'feed' }, ['1']), open({ kind: 'own-replies' })];
    apply({ posts: [{ id: '4', owner_id: '7' }] });
    apply({ deleted: ['4'] });
    assert.deepEqual(waiting(feed), []);
    apply({ restored: ['4'] });
    assert.deepEqual([store.list(feed)!.stale, store.list(other)!.stale], [true, false]);
  });

  test('is forgotten when its time is over', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { open, apply, ids } = openStore();
    const feed = open({ kind: 'feed' }, ['2', '1']);
    apply({ deleted: ['2'] });
    mock.timers.tick(limits.undoDeletionSeconds * 1_000);
    apply({ restored: ['2'] });
    assert.deepEqual(ids(feed), ['1']);
  });
});

describe('a like', () => {
  /** Post 1 with five likes, which is liked, and the requests for that. */
  function openLiked(t: TestContext) {
    const sent: Array<(response: Response) => void> = [];
    t.mock.method(globalThis, 'fetch', () => new Promise<Response>((resolve) => sent.push(resolve)));
    const tokensOf = (token: string | null) =>
      setTokenSource({ current: async () => token, replace: async () => null, onBlocked: assert.fail });
    tokensOf('token');
    t.after(() => tokensOf(null));
    const { store, actions } = openStore();
    store.storePost(samplePost('1', { actions: { likes_count: 5 } }));
    const refusals: string[] = [];
    const likes = createLikes({ store, onRefused: (reason) => refusals.push(reason) });
    likes.toggle('1');
    return {
      store,
      refusals,
      isNow: (is_liked: boolean, likes_count: number, isBusy: boolean) =>
        assert.deepEqual(
          [actions('1').is_liked, actions('1').likes_count, likes.isBusy('1')],
          [is_liked, likes_count, isBusy],
        ),
      async respond(body: object, status = 200): Promise<void> {
        await turn();
        sent.shift()!(Response.json(body, { status }));
        await turn();
        await turn();
      },
    };
  }

  test('is shown at once, also above a response that was requested earlier, and then has the count of its own', async (t) => {
    const { store, isNow, respond } = openLiked(t);
    isNow(true, 6, true);
    store.storePost(samplePost('1', { text: 'новее', actions: { likes_count: 5 } }));
    store.storePost(sampleReply('2', samplePost('1', { text: 'новее', actions: { likes_count: 5 } })));
    isNow(true, 6, true);
    assert.equal(store.post('1')?.text, 'новее');
    await respond({ likes_count: 9 });
    isNow(true, 9, false);
  });

  test('of a deleted post removes it', async (t) => {
    const { store, respond, refusals } = openLiked(t);
    await respond({ code: 'NOT_FOUND', message: 'Ничего не найдено.' }, 404);
    assert.deepEqual([store.post('1'), refusals], [undefined, ['Сообщение не найдено']]);
  });
});
