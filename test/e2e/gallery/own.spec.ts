import { expectAccessible } from '../support/accessible.ts';
import { openPage } from '../support/app.ts';
import { articles } from '../support/feed.ts';
import { onlyPictures, takeAccessible, takeEach, takePictures } from '../support/gallery.ts';
import { loud, mutedSign, seedAuthors, texts } from '../support/muting.ts';
import { openNotifications } from '../support/notifications.ts';
import { askForCode, codeField, newPerson, openDialog, restoreSession } from '../support/sign-in.ts';
import { searchPath } from '../support/search.ts';
import { expect, test } from '../support/test.ts';
import { choose, menuButton, publish, signInNewPerson } from '../support/writing.ts';

/** Names the pictures of these paths, such as `empty-own-posts` for the kind `empty`. */
const named = (kind: string, paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [kind + path.replaceAll('/', '-'), path]));

const lists = ['/notifications', '/liked', '/own/posts', '/settings/muted', '/settings/notifications', '/own/replies'];

test('own lists, empty and full', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  pageErrors.expect(/503/);
  const { id: me, name } = await signInNewPerson(page, ownWall);
  await takeEach(page, ownWall, named('empty', lists));
  await expectAccessible(page);
  const { disputed, loudPost } = await seedAuthors(ownWall);
  const boris = await ownWall.seed.person('boris_petrov');
  const [mine, removed] = await ownWall.seed.posts([
    { by: me, text: 'Кто знает хорошую пекарню?', age: 3_600 },
    { by: me, text: 'Слоны оптом и в розницу!', age: 60 },
  ]);
  await ownWall.seed.replies(disputed, [{ by: me, text: 'Спорить не о чем' }]);
  await ownWall.seed.replies(mine!, [
    { by: boris, text: 'У старого моста, за аптекой' },
    { by: boris, text: 'По субботам только до двух' },
  ]);
  const [followed] = await ownWall.seed.posts([
    { by: boris, text: 'Где чинят коньки? Прошлая мастерская закрылась весной' },
  ]);
  await ownWall.seed.follow(followed!, me);
  const [forgotten] = await ownWall.seed.posts([{ by: me, text: 'Скоро удалю' }]);
  await ownWall.seed.replies(forgotten!, [{ by: boris, text: 'Не надо удалять' }]);
  await ownWall.seed.remove(forgotten!);
  const [hers] = await ownWall.seed.replies(followed!, [{ by: me, text: 'Тоже ищу' }]);
  await ownWall.seed.replies(followed!, [{ by: boris, text: 'Нашёл сам: на рынке, у входа' }]);
  await ownWall.seed.replies(hers!, [
    { by: boris, text: 'Точат за полчаса' },
    { by: boris, text: 'И берут недорого' },
  ]);
  await ownWall.seed.posts([{ by: boris, text: `Спасибо, @${name}, за пекарню` }]);
  await ownWall.seed.like(loudPost, me);
  await ownWall.seed.act('remove', removed!, 'Реклама запрещена правилами стены');
  await openPage(page, ownWall.url);
  await choose(page, texts.loud, 'Не показывать автора');
  await takePictures(page, 'feed-muted');
  await openNotifications(page, ownWall);
  await takePictures(page, 'list-notifications');
  await menuButton(page, 'Точат за полчаса').click();
  await takePictures(page, 'menu-followed', page.getByRole('menuitem', { name: 'Не следить' }));
  await page.keyboard.press('Escape');
  await takeEach(page, ownWall, named('list', lists.slice(2)));
  await takeEach(page, ownWall, named('list', ['/liked']));
  await expectAccessible(page);
  await openPage(page, `${ownWall.url}/settings/notifications`);
  await page.getByRole('radio', { name: 'Раз в день' }).check();
  await takePictures(
    page,
    'notification-settings-saved',
    page.getByRole('main').getByRole('status').filter({ hasText: 'Сохранено' }),
  );
  await page.route('**/notification-settings', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await page.getByRole('radio', { name: 'Раз в неделю' }).check();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Не сохранено');
  await takePictures(page, 'notification-settings-failed');
  await openPage(page, `${ownWall.url}/users/${loud}`);
  await takePictures(page, 'author-muted', mutedSign(page));
  await openPage(page, `${ownWall.url}/posts/${removed}`);
  await takePictures(page, 'post-removed', page.getByRole('region', { name: 'Убранное со стены' }));
});

test('what moderators did: a removed post, the end of the session, and a refused sign-in', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/403/);
  pageErrors.expect(/400/);
  const { id, name, email } = await signInNewPerson(page, ownWall);
  const [post] = await ownWall.seed.posts([{ by: id, text: 'Выиграй миллион!' }]);
  await ownWall.seed.act('remove', post!, 'реклама');
  await page.goto(`${ownWall.url}/own/posts`);
  await expect(page.getByRole('region', { name: 'Убранное со стены' })).toBeVisible();
  await expectAccessible(page);
  // An open page may learn of the block by itself and be left before it says so.
  await page.goto('about:blank');
  await ownWall.admin('block', name, '--reason', 'Реклама в каждом ответе');
  await page.goto(ownWall.url);
  await takeAccessible(page, 'blocked', page.getByRole('dialog', { name: 'Учётная запись заблокирована' }));
  await openDialog(page, ownWall.url);
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await takeAccessible(page, 'sign-in-blocked', page.getByRole('dialog').filter({ hasText: 'Реклама' }));
});

test('a lived-in wall', onlyPictures, async ({ page, ownWall }) => {
  await ownWall.demo(3_000);
  await takeEach(page, ownWall, { 'demo-feed': '/', 'demo-discussed': '/discussed', 'demo-best': '/best' });
  await articles(page).first().locator('time[title]').click();
  await takePictures(page, 'demo-discussion', page.getByRole('heading', { name: 'Ответы' }));
  await page.locator('main article a[href^="/users/"]').first().click();
  await takePictures(page, 'demo-author', page.getByRole('navigation', { name: 'Записи и ответы' }));
});

test('one’s own page, what one follows and has saved', onlyPictures, async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.demo(1_000);
  const person = await newPerson(ownWall);
  await restoreSession(page, ownWall, person, '/settings/account/profile');
  await page.getByRole('textbox', { name: 'Как вас называть' }).fill('Аня с Мира');
  await page.getByRole('textbox', { name: 'О себе' }).fill('Живу у вокзала, чиню велосипеды, читаю всё про сад');
  await takePictures(page, 'settings-profile');
  await page.getByRole('textbox', { name: 'Как вас называть' }).fill('Модератор');
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await takePictures(
    page,
    'settings-profile-refused',
    page.getByRole('main').getByRole('alert').filter({ hasText: /./ }),
  );
  await page.getByRole('textbox', { name: 'Как вас называть' }).fill('Аня с Мира');
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await takeEach(page, ownWall, named('empty', ['/following', '/own/saved']));
  await openPage(page, `${ownWall.url}/discussed`);
  const roots: number[] = [];
  for (let place = 0; place < 4; place += 1) {
    const card = articles(page).nth(place);
    roots.push(Number((await card.locator('[data-permalink]').getAttribute('href'))!.split('/').at(-1)));
    await card.getByRole('button', { name: 'Действия с записью' }).click();
    await page.getByRole('menuitem', { name: 'Сохранить' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Сохранено' })).toBeVisible();
    await expect(page.getByRole('menu')).toHaveCount(0);
  }
  for (const root of roots) {
    await ownWall.seed.replies(root, [{ by: person.id, text: 'И мне это интересно' }]);
    const isRead = page.waitForResponse(
      (response) => response.url().endsWith('/users/current/reading') && response.request().method() === 'PUT',
    );
    await openPage(page, `${ownWall.url}/posts/${root}`);
    await isRead;
  }
  const by = await ownWall.seed.person('galina_mikhaylovna');
  await ownWall.seed.name(by, 'Галина Михайловна');
  for (const root of roots.slice(0, 2))
    await ownWall.seed.replies(root, [
      { by, text: 'А я нашла!' },
      { by, text: 'Вот' },
    ]);
  await ownWall.seed.posts([{ by: person.id, text: 'Отдам саженцы смородины, самовывоз' }]);
  await takeEach(page, ownWall, named('own', ['/', '/following', '/own/saved', '/own/replies']));
  await takeEach(page, ownWall, { 'own-users-me': `/users/${person.name}` });
  const newcomer = await ownWall.seed.person('katya_newcomer');
  await ownWall.seed.name(newcomer, 'Катя');
  await ownWall.seed.newcomer(newcomer);
  await ownWall.seed.posts([{ by: newcomer, text: 'Всем привет, я из четырнадцатой' }]);
  await takeEach(page, ownWall, { people: '/people', 'people-none': '/people?q=яяя' });
  await expectAccessible(page);
});

test('words that one follows and hides', async ({ page, ownWall }) => {
  const { id: me } = await signInNewPerson(page, ownWall);
  const { seed } = ownWall;
  const [oleg, vera] = [await seed.person('oleg_v'), await seed.person('vera_s')];
  for (const word of ['лифт', '#собрание', 'велосипед']) await seed.word(me, word, 'follow');
  for (const word of ['реклама', 'электросамокат']) await seed.word(me, word, 'hide');
  const [walk] = await seed.posts([
    { by: vera, text: 'Гуляли в парке, видели белку', age: 7_200 },
    { by: oleg, text: 'Лифтом опять нельзя пользоваться: застрял между пятым и шестым', age: 3_600 },
  ]);
  const [advert] = await seed.replies(walk!, [
    { by: oleg, text: 'Реклама орехов для белок' },
    { by: vera, text: 'Она брала с руки' },
  ]);
  await seed.replies(advert!, [{ by: vera, text: 'Не надо здесь торговать' }]);
  await takeEach(page, ownWall, {
    'words-followed': '/following?word=лестница',
    'words-hidden': '/settings/muted',
    'words-in-discussion': `/posts/${walk}`,
    'words-told': '/notifications',
  });
  await expectAccessible(page);
  await openPage(page, ownWall.url + searchPath('лифт'));
  await takeAccessible(page, 'words-search', page.getByRole('link', { name: 'Следить за словом' }));
});

test('the name after the first post', async ({ page, ownWall }) => {
  const name = 'user_a1b2c3d4';
  const id = await ownWall.seed.person(name, 'anya.petrova@example.org');
  await restoreSession(page, ownWall, { id, name });
  await publish(page, 'Всем привет!');
  await takeAccessible(page, 'name-card', page.getByRole('button', { name: 'Не сейчас' }));
});
