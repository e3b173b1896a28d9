import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loud, seedAuthors, texts } from '../../../test/kit/muting.ts';
import { signInAs } from '../../../test/kit/screen/account.ts';
import { callsOf, card, cardOf, cards, choose, hasTexts, toast } from '../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { bell, hasUnread } from '../../../test/kit/screen/notifications.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';

const mutes = /\/users\/current\/mutes/;

/** A wall with posts of an author whom a person mutes, and of another one. */
async function openAuthors() {
  const wall = await openSeeded();
  return { ...wall, ...(await seedAuthors(wall)) };
}

const allText = (screen: Screen): string => textOf(screen.getByRole('main'));
const isLoudShown = (screen: Screen): void => assert.ok(allText(screen).includes(texts.loud), 'The post is not shown');
const showsLoud = (screen: Screen): Promise<void> => screen.until(() => isLoudShown(screen));
const opener = (screen: Screen): HTMLElement => cardOf(screen, loud).getByRole('button', { name: 'Показать' });

const isMuted = (screen: Screen): Promise<void> =>
  screen.until(() => {
    opener(screen);
    assert.ok(!allText(screen).includes(texts.loud), 'The post is shown');
  });

/** Mutes the author in the menu of a post. */
async function mute(screen: Screen): Promise<void> {
  await choose(screen, texts.loud, 'Не показывать автора');
  await toast(screen, 'Автор не показывается');
}

const muteButton = (screen: Screen): HTMLElement =>
  screen.main().getByRole('button', { name: /^(Не показывать|Показывать)( автора)?$/ });

/** Clicks, and once the page has changed again, as the second press of a double click. */
async function doubleClick(screen: Screen, element: HTMLElement, isChanged: () => void): Promise<void> {
  await screen.click(element);
  await screen.until(isChanged);
  const second = new screen.window.MouseEvent('click', { bubbles: true, detail: 2 });
  element.dispatchEvent(second as unknown as Event);
}

async function goBack(screen: Screen): Promise<void> {
  await screen.click(await screen.findByRole('button', { name: 'Назад' }));
  await screen.until(() => assert.equal(screen.path(), '/'));
}

test('the message about a muted author takes it back', async () => {
  await using wall = await openAuthors();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await mute(screen);
  await isMuted(screen);
  await screen.click(await screen.findByRole('button', { name: 'Вернуть' }));
  await toast(screen, 'Автор снова показывается');
  await showsLoud(screen);
});

test('posts of a muted author collapse to a line, only for the person who muted', async () => {
  await using wall = await openAuthors();
  const { me, disputed, loudPost, calmReply } = wall;
  const first = await openScreen(wall, '/', { as: me });
  await mute(first);
  await isMuted(first);

  await first.click(card(first, texts.disputed).querySelector('time')!);
  await first.until(() => assert.equal(first.path(), `/posts/${disputed}`));
  await first.until(() =>
    assert.match(textOf(cardOf(first, texts.disputed).getByRole('button', { name: /^Ответить/ })), /2/),
  );
  await first.until(() => opener(first));
  assert.doesNotMatch(allText(first), /А я не согласен/);
  await goBack(first);
  await doubleClick(first, await first.until(() => opener(first)), () => isLoudShown(first));
  await showsLoud(first);
  await first.until(() => assert.ok(first.focused() === card(first, loud)));
  await first.click(card(first, loud).querySelector('time')!);
  await first.until(() => assert.equal(first.path(), `/posts/${loudPost}`));
  await first.until(() => assert.match(allText(first), /автор скрыт/));
  await showsLoud(first);
  await goBack(first);
  await showsLoud(first);

  const reply = await first.reload(`/posts/${calmReply}`);
  await reply.until(() =>
    assert.equal(textOf(reply.getByRole('link', { name: new RegExp(`^${loud}`) })), `${loud}Автор скрыт`),
  );

  for (const path of ['/', `/posts/${disputed}`, `/posts/${calmReply}`]) {
    await using elsewhere = await openScreen(wall, path);
    assert.doesNotMatch(allText(elsewhere), /автор скрыт/i);
  }

  await using feed = await reply.reload('/');
  await choose(feed, loud, 'Показывать автора');
  await showsLoud(feed);
  await toast(feed, 'Автор снова показывается');
});

test('muting works on the author’s page and in settings', async () => {
  await using wall = await openAuthors();
  await using own = await openScreen(wall, '/users/anna_k', { as: wall.me });
  assert.ok(own.queryByRole('button', { name: /^(Не показывать|Показывать)/ }) === null);
  const first = await openScreen(wall, `/users/${loud}`, { as: wall.me });
  const isMuting = () => assert.equal(textOf(muteButton(first)), 'Показывать автора');
  await doubleClick(first, muteButton(first), isMuting);
  await toast(first, 'Автор не показывается');
  isMuting();
  first.getByText('Вы не показываете этого автора');
  await showsLoud(first);

  await first.click(first.banner().getByRole('link', { name: 'anna_k' }));
  const recover = first.network.intercept(mutes, () => Promise.reject(new TypeError()));
  await first.click(await first.until(() => first.main().getByRole('link', { name: 'Скрытые авторы' })));
  await first.findByRole('heading', { name: 'Не удалось загрузить' });
  recover();
  await first.click(first.getByRole('button', { name: 'Повторить' }));
  await first.until(() =>
    assert.match(first.main().getAllByRole('listitem').map(textOf).join(), new RegExp(`^${loud}[^,]*$`)),
  );
  await first.click(muteButton(first));
  await first.until(() => assert.equal(textOf(muteButton(first)), 'Не показывать'));
  await toast(first, 'Автор снова показывается');
  await using screen = await first.reload();
  await screen.findByRole('heading', { name: 'Вы показываете всех авторов' });
});

test('mutes before the response and reverts when the server refuses', async () => {
  await using wall = await openAuthors();
  const first = await openScreen(wall, '/', { as: wall.me });
  const refused = Promise.withResolvers<Response>();
  first.network.intercept(/^PUT .*mutes/, () => refused.promise);
  await choose(first, texts.loud, 'Не показывать автора');
  await isMuted(first);
  refused.resolve(Response.json({ code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' }, { status: 503 }));
  await toast(first, 'Сервис временно недоступен.');
  await showsLoud(first);
  await using screen = await first.reload();
  await showsLoud(screen);
});

test('a visitor signs in before muting; signing out shows all posts again', async () => {
  await using wall = await openAuthors();
  const visitor = await openScreen(wall, `/users/${loud}`);
  await visitor.click(muteButton(visitor));
  assert.deepEqual(callsOf(visitor, mutes), []);
  await using screen = await signInAs(visitor, wall, wall.anna.email);
  await toast(screen, 'Автор не показывается');
  assert.equal(screen.path(), `/users/${loud}`);
  assert.equal(textOf(muteButton(screen)), 'Показывать автора');
  await screen.click(screen.banner().getByRole('link', { name: 'anna_k' }));
  await screen.click(await screen.findByRole('button', { name: 'Выйти' }));
  await screen.until(() => assert.equal(screen.path(), '/'));
  await showsLoud(screen);
  assert.equal(screen.window.localStorage.getItem('muted'), null);
});

test('a discussion that a muted author has lifted is a line among the discussed posts', async () => {
  await using wall = await openAuthors();
  const { seed, loudId, calmId, me } = wall;
  const [root] = await seed.posts([{ by: calmId, text: 'Где чинят зонты?' }]);
  for (const by of [loudId, calmId, loudId]) await seed.replies(root!, [{ by, text: 'Ответ' }]);
  const isBeside = (screen: Screen): boolean =>
    /зонты/.test(screen.window.document.querySelector('aside')?.textContent ?? '');
  const first = await openScreen(wall, '/', { as: me });
  assert.ok(isBeside(first));
  await mute(first);
  await first.until(() => assert.ok(!isBeside(first)));
  assert.match(allText(first), /Где чинят зонты/);

  await using screen = await first.reload('/discussed');
  await screen.until(() => assert.match(allText(screen), /поднял скрытый автор/));
  assert.doesNotMatch(allText(screen), /Где чинят зонты/);
  await screen.click(queriesIn(cards(screen)[0]!).getByRole('button', { name: 'Показать' }));
  await screen.until(() => assert.match(allText(screen), /Где чинят зонты/));
  await using elsewhere = await openScreen(wall, '/discussed');
  assert.match(allText(elsewhere), /Где чинят зонты/);
});

test('a browser without stored mutes loads them and does not count muted posts', async () => {
  await using wall = await openAuthors();
  const { seed, loudId, calmId } = wall;
  const first = await openScreen(wall, '/', { as: wall.me });
  await mute(first);
  first.window.localStorage.removeItem('muted');
  await using screen = await first.reload();
  await isMuted(screen);
  await seed.posts([
    { by: loudId, text: 'И ещё' },
    { by: loudId, text: 'И снова' },
    { by: calmId, text: 'Тихий вечер' },
  ]);
  await screen.click(await screen.findByRole('button', { name: 'Показать новые: 1' }));
  await screen.until(() => card(screen, 'Тихий вечер'));
  assert.equal(cards(screen).length, 6);
  assert.doesNotMatch(allText(screen), /И снова/);
});

test('replies of a muted author are not among the notifications, nor counted', async () => {
  await using wall = await openAuthors();
  const { seed, me, loudId, calmId } = wall;
  const [mine] = await seed.posts([{ by: me, text: 'Что скажете?' }]);
  await seed.replies(mine!, [
    { by: calmId, text: 'Скажу тихо' },
    { by: loudId, text: 'Скажу громко' },
  ]);
  await using screen = await openScreen(wall, '/', { as: me });
  await mute(screen);
  // The replies of an author who is muted already make no notification.
  await seed.replies(mine!, [{ by: loudId, text: 'И ещё громче' }]);
  await hasUnread(screen, 1);
  await screen.click(bell(screen));
  await hasTexts(screen, ['Скажу тихо']);
  assert.doesNotMatch(allText(screen), /громко/);
  assert.equal(queriesIn(screen.getByRole('feed')).getAllByRole('article').length, 2);
});
