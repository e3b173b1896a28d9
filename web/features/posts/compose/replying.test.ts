import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import {
  card,
  cardOf,
  cards,
  decide,
  formClosed,
  dialogShows,
  hasTexts,
  openPost,
  textField,
  toast,
  write,
} from '../../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

const text = 'Кто знает пекарню?';

/** A post of another author, with replies of that author. */
async function openQuestion(...replies: string[]) {
  const wall = await openSeeded();
  const by = await wall.person('galina_m');
  const [id] = await wall.seed.posts([{ by, text, age: 60 }]);
  await wall.seed.replies(
    id!,
    replies.map((each) => ({ by, text: each, age: 30 })),
  );
  return { ...wall, by, id: id! };
}

const replyTo = async (screen: Screen, answered: string): Promise<void> =>
  screen.click(await screen.until(() => cardOf(screen, answered).getByRole('button', { name: /^Ответить/ })));

async function send(screen: Screen, answer: string): Promise<void> {
  await write(screen, answer);
  await decide(screen, 'Опубликовать');
}

const quote = (screen: Screen): string => textOf(screen.getByRole('dialog').querySelector('blockquote'));

/** Replies to a post on a page and returns the link of the message. */
async function linkAfterReply(path: (id: number) => string): Promise<string> {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, path(wall.id), { as: wall.me });
  await replyTo(screen, text);
  await send(screen, 'За углом');
  await formClosed(screen);
  const link = queriesIn(await toast(screen, 'Опубликовано')).queryByRole('link');
  if (path(wall.id) !== '/') await screen.until(() => assert.match(textOf(screen.getByRole('feed')), /За углом/));
  return textOf(link);
}

test('after a reply from the feed the message leads to it', async () => {
  assert.equal(await linkAfterReply(() => '/'), 'Смотреть');
});

test('after a reply on the page of its discussion, which shows it, the message has no link', async () => {
  assert.equal(await linkAfterReply((id) => `/posts/${id}`), '');
});

test('a reply quotes its post, increases the count and is at the top of the thread', async () => {
  await using wall = await openQuestion('Я');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await replyTo(screen, text);
  await screen.findByRole('dialog', { name: 'Ответ' });
  await screen.until(() => assert.equal(quote(screen), `galina_m${text}`));
  await send(screen, 'И я!');
  await toast(screen, 'Опубликовано');
  const count = () => textOf(cardOf(screen, text).getByRole('button', { name: /^Ответить/ }));
  await screen.until(() => assert.equal(count(), 'Ответить2'));
  assert.equal(cards(screen).length, 1);
  await openPost(screen, text);
  await hasTexts(screen, ['И я!', 'Я']);
  await replyTo(screen, text);
  await send(screen, 'Во сколько?');
  await hasTexts(screen, ['Во сколько?', 'И я!', 'Я']);
});

test('a reply to a reply is listed under that reply', async () => {
  await using wall = await openQuestion('Ветка');
  await using screen = await openScreen(wall, `/posts/${wall.id}`, { as: wall.me });
  await replyTo(screen, 'Ветка');
  await send(screen, 'Лист');
  await formClosed(screen);
  await screen.click(await screen.until(() => card(screen, 'Лист').querySelector('a[data-permalink]')!));
  await screen.until(() => assert.match(textOf(screen.getAllByRole('article')[0]!), /Лист/));
  const chain = queriesIn(screen.getByRole('group', { name: 'Начало обсуждения' })).getAllByRole('link');
  assert.equal(chain.length, 2);
  assert.match(textOf(chain[0]!), /Кто знает пекарню\?$/);
  assert.match(textOf(chain[1]!), /Ветка$/);
});

test('a reply to a deleted post is refused with a message, and the text stays', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await replyTo(screen, text);
  await write(screen, 'Подожди');
  await wall.remove(wall.id);
  await decide(screen, 'Опубликовать');
  await dialogShows(screen, 'Ответить нельзя: этой записи больше нет. Ваш текст сохранён.');
  assert.equal((await textField(screen)).value, 'Подожди');
});

test('a lost response: sending again creates one reply', async () => {
  await using wall = await openQuestion();
  const screen = await openScreen(wall, '/', { as: wall.me });
  screen.network.loseNext(/^POST .*\/replies$/);
  await replyTo(screen, text);
  await send(screen, 'Ответ');
  await dialogShows(screen, 'Нет соединения');
  await decide(screen, 'Опубликовать');
  await toast(screen, 'Опубликовано');
  await using thread = await screen.reload(`/posts/${wall.id}`);
  await hasTexts(thread, ['Ответ']);
});

test('the first reply by another person appears immediately, the next one waits', async () => {
  await using wall = await openQuestion();
  assert.match((await wall.get(`/posts/${wall.id}`)).text, /Ответов пока нет/);
  await using screen = await openScreen(wall, `/posts/${wall.id}`);
  screen.getByRole('heading', { name: 'Ответов пока нет' });
  await wall.seed.replies(wall.id, [{ by: wall.by, text: 'Я' }]);
  await hasTexts(screen, ['Я']);
  assert.ok(screen.queryByText('Ответов пока нет') === null);
  screen.show(cards(screen)[0]!);
  await wall.seed.replies(wall.id, [{ by: wall.by, text: 'И я' }]);
  await screen.findByRole('button', { name: 'Новые ответы: 1' });
});

test('a post without replies shows no skeletons and offers to reply', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const arrived = Promise.withResolvers<void>();
  screen.network.intercept(/\/thread\?/, ({ forward }) => arrived.promise.then(forward));
  await openPost(screen, text);
  const first = await screen.findByRole('button', { name: 'Ответить первым' });
  assert.ok(first.closest('main [aria-busy=true]'));
  arrived.resolve();
  await screen.until(() => assert.ok(!screen.getByRole('main').querySelector('[aria-busy=true]')));
  await screen.click(screen.getByRole('button', { name: 'Ответить первым' }));
  await send(screen, 'Я');
  await hasTexts(screen, ['Я']);
  await screen.until(() => assert.ok(screen.focused() === cards(screen)[0]));
  assert.ok(screen.queryByRole('button', { name: 'Ответить первым' }) === null);
});

/** The dialog of a reply on a page that does not have the post, as after signing in during a reload. */
function openElsewhere(from: Screen, id: number, answer: (forward: () => Promise<Response>) => Promise<Response>) {
  const intent = JSON.stringify({ kind: 'reply', postId: `${id}`, path: '/settings' });
  from.window.sessionStorage.setItem('intent', intent);
  return from.reload('/settings', ({ network }) => {
    network.intercept(new RegExp(`^GET .*/posts/${id}$`), ({ forward }) => answer(forward));
  });
}

test('a dialog opened before its post has arrived says so, then shows it', async () => {
  await using wall = await openQuestion();
  const arrived = Promise.withResolvers<void>();
  const feed = await openScreen(wall, '/', { as: wall.me });
  await using screen = await openElsewhere(feed, wall.id, (forward) => arrived.promise.then(forward));
  const hasFocus = async () => {
    const field = await textField(screen);
    await screen.until(() => assert.ok(screen.focused() === field));
  };
  await hasFocus();
  assert.equal(textOf(screen.dialog().getAllByRole('status')[0]!), 'Загрузка…');
  arrived.resolve();
  await screen.until(() => assert.equal(quote(screen), `galina_m${text}`));
  await hasFocus();
});

test('a dialog whose post cannot be loaded offers to try again', async () => {
  await using wall = await openQuestion();
  const responses = [Response.json({}, { status: 503 })];
  const feed = await openScreen(wall, '/', { as: wall.me });
  await using screen = await openElsewhere(feed, wall.id, async (forward) => responses.pop() ?? forward());
  await decide(screen, 'Повторить');
  await screen.until(() => assert.equal(quote(screen), `galina_m${text}`));
});

test('a dialog says that its post is deleted, at once and while one writes', async () => {
  await using wall = await openQuestion();
  const feed = await openScreen(wall, '/', { as: wall.me });
  await replyTo(feed, text);
  await write(feed, 'Не успею');
  await wall.remove(wall.id);
  await feed.until(() => assert.equal(quote(feed), `galina_m${text}Запись удалена`));
  feed.press('Escape');
  await formClosed(feed);
  await using screen = await openElsewhere(feed, wall.id, (forward) => forward());
  await dialogShows(screen, 'Запись удалена');
  assert.equal((await textField(screen)).value, 'Не успею');
});
