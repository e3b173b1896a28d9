import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bell,
  hasHeads,
  hasUnread,
  heads,
  look,
  openReplied,
  openNotifications,
  pill,
  read,
} from '../../../test/kit/screen/notifications.ts';
import { openScreen } from '../../../test/kit/screen/open-screen.ts';
import { card, cardOf, cards, choose, hasTexts } from '../../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { now } from '../../../test/kit/signed-in.ts';

const isOf = (element: Element, pattern: RegExp) => assert.match(textOf(element), pattern);

test('replies stand below the head of their discussion, whose post is quoted once', async () => {
  await using wall = await openReplied();
  const { seed, me, boris, postId, replyAsBoris } = wall;
  const [bakery] = await seed.posts([
    { by: me, text: 'Кто знает хорошую пекарню? У старого моста закрыли. '.repeat(3) },
  ]);
  await replyAsBoris('Раз');
  await seed.replies(bakery!, [{ by: boris, text: 'За аптекой' }]);
  await replyAsBoris('Два');
  const [mine] = await seed.replies(postId, [{ by: me, text: 'Тогда в десять' }]);
  await seed.replies(
    mine!,
    ['Три', 'Четыре'].map((text) => ({ by: boris, text })),
  );
  const first = await openNotifications(wall);
  await hasHeads(first, [
    /^4 новых ответа · в вашем обсуждении «Кто идёт на каток\?»$/,
    /^1 новый ответ · в вашем обсуждении «Кто знает хорошую пекарню\? У старого моста закрыли\. Кто…»$/,
  ]);
  await hasTexts(first, ['Четыре', 'Три', 'Два', 'Раз', 'За аптекой']);
  // A post that is not in the head is quoted above the first reply to it.
  const feed = () => queriesIn(first.getByRole('feed'));
  assert.equal(feed().getAllByRole('link', { name: /Тогда в десять/ }).length, 1);
  cardOf(first, 'Четыре').getByRole('link', { name: /Тогда в десять/ });
  isOf(card(first, 'Два'), /на саму запись/);
  assert.doesNotMatch(textOf(card(first, 'Раз')), /на саму запись/);
  assert.equal(textOf(first.getByRole('feed')).match(/Кто идёт на каток/g)?.length, 1);

  await read(first);
  await first.click(heads(first)[1]!.querySelector('a')!);
  await first.until(() => assert.equal(first.path(), `/posts/${bakery}`));
  await first.click(await first.findByRole('button', { name: 'Назад' }));
  await first.until(() => assert.equal(first.path(), '/notifications'));
  await hasUnread(first, 0);
  await using screen = await first.reload();
  await hasHeads(screen, [/^4 ответа · /, /^1 ответ · /]);
});

test('a mention and a followed discussion say why they are there, on every device', async () => {
  await using wall = await openReplied();
  const { seed, me, boris: by } = wall;
  const [his, other] = await seed.posts(['Где чинят коньки?', 'Кто был на озере?'].map((text) => ({ by, text })));
  await seed.follow(his!, me);
  await using screen = await openScreen(wall, '/', { as: me });
  await using phone = await openScreen(wall, '/', { as: me });
  await seed.replies(his!, [{ by, text: 'Нашёл сам' }]);
  await seed.replies(other!, [{ by, text: 'Думаю, @anna_k был' }]);
  await seed.posts([{ by, text: 'Спасибо, @anna_k, за лёд' }]);
  for (const device of [screen, phone]) await hasUnread(device, 3);

  await screen.click(bell(screen));
  await screen.findByRole('feed');
  await hasHeads(screen, [
    /^Новое упоминание в записи boris_petrov$/,
    /^1 новый ответ «Кто был на озере\?»$/,
    /^1 новый ответ · вы следите за обсуждением «Где чинят коньки\?»$/,
  ]);
  assert.doesNotMatch(textOf(card(screen, 'за лёд')), /упоминает вас/);
  assert.ok(screen.getByRole('article', { name: /^Новая запись boris_petrov$/ }) === card(screen, 'за лёд'));
  isOf(card(screen, 'Думаю'), /упоминает вас/);
  assert.doesNotMatch(textOf(card(screen, 'Нашёл сам')), /следите/);
  await look(screen);
  for (const device of [screen, phone]) await hasUnread(device, 0);
});

test('the head names one’s own discussion, and a changed post is named', async () => {
  await using wall = await openReplied();
  const { seed, postId, replyAsBoris } = wall;
  const vera = await seed.person('vera_smirnova');
  const [first] = await replyAsBoris('Я иду!');
  await seed.replies(first!, [{ by: vera, text: 'И я с тобой' }]);
  await using screen = await openNotifications(wall);
  await hasHeads(screen, [/^2 новых ответа · в вашем обсуждении/]);
  assert.doesNotMatch(textOf(card(screen, 'И я с тобой')), /в вашем обсуждении/);
  cardOf(screen, 'И я с тобой').getByRole('link', { name: /Я иду!/ });
  await seed.mark(postId, { modified_at: now() + 60 });
  await seed.edit(postId, 'Кто идёт на лыжах?');
  await hasHeads(screen, [/«Кто идёт на лыжах\?»$/]);
  await seed.remove(postId);
  await hasHeads(screen, [/^2 новых ответа · вы следите за обсуждением Запись удалена$/]);
  assert.equal(queriesIn(heads(screen)[0]!).queryAllByRole('link').length, 0);
});

test('a group of muted authors vanishes and returns', async () => {
  await using wall = await openReplied();
  const { seed, me, postId, replyAsBoris } = wall;
  const by = await seed.person('oleg_gromkiy');
  const [bakery] = await seed.posts([{ by: me, text: 'Где пекарня?' }]);
  await replyAsBoris('Я иду!');
  await seed.replies(bakery!, [{ by, text: 'Сам ищи' }]);
  await seed.replies(postId, [{ by, text: 'И куда ты идёшь' }]);
  const first = await openNotifications(wall);
  await hasHeads(first, [/каток/, /пекарня/]);
  await choose(first, 'Сам ищи', 'Не показывать автора');
  await hasHeads(first, [/^1 новый ответ · в вашем обсуждении «Кто идёт на каток\?»$/]);
  await hasTexts(first, ['Я иду!']);
  assert.equal(cards(first)[0]!.getAttribute('aria-setsize'), '1');
  await using screen = await first.reload();
  await hasTexts(screen, ['Я иду!']);
});

test('a page that muting has made empty says so', async () => {
  await using wall = await openReplied();
  await wall.replyAsBoris('Я иду!');
  const first = await openNotifications(wall);
  await choose(first, 'Я иду!', 'Не показывать автора');
  await first.findByText(/которых вы решили не показывать/);
  await using screen = await first.reload();
  await screen.findByText(/которых вы решили не показывать/);
  await screen.click(screen.getByRole('link', { name: 'Кого вы не показываете' }));
  await screen.until(() => assert.equal(screen.path(), '/settings/muted'));
});

test('a new reply joins the first group from the pill', async () => {
  await using wall = await openReplied();
  await wall.replyAsBoris('Я иду!');
  const first = await openNotifications(wall);
  await read(first);
  await wall.replyAsBoris('И я!');
  const pressed = await pill(first);
  assert.equal(textOf(pressed), 'Показать новые: 1');
  await hasHeads(first, [/^1 новый ответ/]);
  await first.click(pressed);
  await hasTexts(first, ['И я!', 'Я иду!']);
  assert.equal(heads(first).length, 1);
  await first.until(() => assert.ok(first.focused() === cards(first)[0]));
  await first.close();
});
