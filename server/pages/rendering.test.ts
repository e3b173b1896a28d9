import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageData, PageRenderer } from '#contract/page.ts';
import { openWall } from '../../test/kit/wall.ts';
import { likePost } from '../features/posts/writes.ts';
import { lockPin, setPin } from '../features/posts/pinned.ts';
import { callInProcess } from '../http/readable.ts';

const assets = { scripts: [], styles: [] };
const settings = {
  appName: 'Стена & "двор"',
  publicUrl: 'https://wall.example',
  contact: 'mailto:a@wall.example',
  editWindowSeconds: 900,
  codeResendSeconds: 60,
};

const texts = [
  'Просто запись',
  `<b>"&' </script><!-- -->`,
  'Ссылка https://example.org/очень/длинный/путь?a=1&b="2" и #метка, @anna_petrova, почта a@b.example',
  'строка\nвторая\n\n\u2028четвёртая',
  'שלום עולם',
  '👩‍👩‍👧 и\u00a0пробелы в 5 часов — да',
  'javascript:alert(1) https://example.org/#javascript:',
];

test('pages are the same bytes as by React, on which the browser relies', async () => {
  const renderer = (await import(new URL('../../dist/ssr/entry-server.js', import.meta.url).href)) as PageRenderer;
  await using wall = await openWall('sqlite', { EDIT_WINDOW_SECONDS: '900' });
  const [anna, boris] = [await wall.person('anna_petrova'), await wall.person('Boris_77')];
  const ids: number[] = [];
  for (const text of texts) ids.push(await wall.post(anna, text));
  for (let i = 0; i < 12; i += 1) ids.push(await wall.post(boris, `${i} ${texts[i % texts.length]}`));
  const root = ids[0]!;
  let above = root;
  for (let depth = 1; depth <= 9; depth += 1) {
    above = await wall.reply(depth % 2 ? boris : anna, above, `${depth} ${texts[depth % texts.length]}`);
    ids.push(above, await wall.reply(anna, root, `ещё ${depth}`));
  }
  const gone = await wall.reply(boris, root, 'будет удалена');
  ids.push(await wall.reply(anna, gone, 'ответ на удалённую'));
  await wall.remove(gone);
  await wall.db.tx((tx) => likePost(tx, { postId: root, userId: boris, now: 1 }));
  // More likes than a card shows in full.
  await wall.db.tx(({ db }) =>
    db.updateTable('posts').set({ likes_count: 12_345 }).where('id', '=', ids[1]!).execute(),
  );
  await wall.db.tx(async (tx) => {
    await lockPin(tx);
    await setPin(tx, { post: root, until: null });
  });

  const known = [
    '/',
    '/posts/404',
    ...ids.map((id) => `/posts/${id}`),
    '/users/anna_petrova',
    '/users/Boris_77/replies',
  ];
  const others = ['/search', '/search?q=запись', '/no/such/page', ...renderer.securedPaths];
  let compared = 0;
  for (const address of [...known, ...others]) {
    const [path = '', q] = address.split('?q=');
    const { content } = await renderer.loadPage(path, { q }, callInProcess(wall.app, []));
    for (const madeAt of [wall.clock.now, wall.clock.now + 400 * 24 * 3_600]) {
      const data: PageData = { settings, madeAt, position: '5', content };
      const render = (by: 'wall' | 'react' | 'either') => renderer.renderDocument(data, assets, path, by).join('');
      const expected = render('react');
      assert.equal(render('either'), expected, address);
      if (known.includes(address)) assert.equal(render('wall'), expected, address);
      compared += 1;
    }
  }
  assert.ok(compared > 80);
});
