import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAs } from '../../test/kit/screen/account.ts';
import { openSeeded } from '../../test/kit/screen/seeded.ts';
import { openScreen } from '../../test/kit/screen/open-screen.ts';
import { textOf } from '../../test/kit/screen/queries.ts';
import { openWall } from '../../test/kit/wall.ts';

const signedInPages = {
  '/liked': 'Понравившиеся',
  '/own/posts': 'Мои записи',
  '/own/replies': 'Мои ответы',
  '/notifications': 'Уведомления',
  '/settings': 'Настройки',
  '/settings/account/email': 'Электронная почта',
  '/settings/account/username': 'Имя пользователя',
  '/settings/devices': 'Устройства',
  '/settings/data': 'Мои данные',
  '/settings/muted': 'Скрытые',
};

for (const [path, name] of Object.entries(signedInPages)) {
  const reason = `«${name}» — эту страницу видят только те, кто вошёл.`;

  test(`${path} says what is there and that one must sign in, with and without scripts`, async () => {
    await using wall = await openWall('sqlite');
    const got = await wall.get(path);
    assert.equal(got.status, 200);
    const text = got.text.replaceAll(/\s+/g, ' ');
    const notice = /<noscript>((?:(?!<noscript>)[^])*?Нужно войти[^]*?)<\/noscript>/.exec(text)?.[1] ?? '';
    assert.ok(notice.includes(reason), notice);
    assert.ok(notice.includes(`href="/sign-in?next=${encodeURIComponent(path)}"`), notice);
    assert.ok(!text.includes('Страница не существует'));

    await using screen = await openScreen(wall, path);
    await screen.until(() => screen.main().getByRole('heading', { name: 'Нужно войти' }));
    screen.main().getByText(reason);
    screen.main().getByRole('button', { name: 'Войти' });
    const title = path === '/settings/muted' ? 'Скрытые авторы' : name;
    assert.equal(screen.window.document.title, `${title} - Стена`);
  });
}

for (const [path, empty] of [
  ['/liked', 'Записи не найдены'],
  ['/own/posts', 'Записи не найдены'],
  ['/own/replies', 'Записи не найдены'],
  ['/notifications', 'Уведомлений пока нет'],
] as const) {
  test(`a visitor at ${path} signs in and returns there`, async () => {
    await using wall = await openSeeded();
    const visitor = await openScreen(wall, path);
    await visitor.click(await visitor.until(() => visitor.main().getByRole('button', { name: 'Войти' })));
    await using screen = await signInAs(visitor, wall, wall.anna.email);
    screen.banner().getByRole('link', { name: /anna_k/ });
    await screen.findByRole('heading', { name: empty });
    assert.equal(screen.path(), path);
  });
}

test('a loading page of a person at the desk is named and has no skeleton of posts', async () => {
  await using wall = await openWall('sqlite');
  const { text } = await wall.get('/moderation/people/boris_v');
  assert.ok(text.includes('<title>boris_v - Стена</title>'));
  const list = await wall.get('/settings');
  const skeletonOf = (html: string) =>
    /<div aria-busy="true">[^]*?<\/main>/.exec(html)?.[0].replaceAll(/<!--[^]*?-->/g, '');
  assert.equal(skeletonOf(text), skeletonOf(list.text));
});

test('a visitor at a page of the desk reads that it does not exist', async () => {
  await using wall = await openWall('sqlite');
  await using screen = await openScreen(wall, '/moderation/people/boris_v');
  await screen.until(() => screen.main().getByRole('heading', { name: 'Страница не существует' }));
  assert.equal(screen.window.document.title, 'Страница не существует - Стена');
  assert.doesNotMatch(textOf(screen.window.document.body as unknown as Element), /одераци/);
});
