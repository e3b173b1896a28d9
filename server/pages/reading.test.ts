import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter } from '../../test/kit/journeys/enter.ts';
import { openStory } from '../../test/kit/journeys/open-story.ts';
import { openTextBrowser } from '../../test/kit/journeys/text-browser.ts';
import { wordsOf } from '../../test/kit/journeys/find.ts';
import { seedDiscussion } from '../../test/kit/sample-discussion.ts';
import { engines } from '../../test/kit/engines.ts';
import { runJobs } from '../../test/kit/run-jobs.ts';
import { now } from '../../test/kit/signed-in.ts';
import { reads } from '../../test/kit/journeys/act.ts';

const numbered = (count: number, what: string) => Array.from({ length: count }, (_, index) => `${what} ${index + 1}.`);

/** An empty wall, a text browser without a session, and an author whose posts it reads. */
async function openReading() {
  const wall = await openStory('sqlite');
  await wall.db.tx((tx) => tx.db.deleteFrom('reports').execute());
  for (const id of [wall.world.postId, wall.world.reportedId]) await wall.world.seed.remove(id);
  const by = await wall.world.seed.person('anna_k');
  const reader = openTextBrowser(wall.url);
  const found = (selector: string) => [...reader.page().document.querySelectorAll(selector)];
  const texts = () => found('[role=feed] article[aria-posinset] > div > [dir=auto]').map(wordsOf);
  return {
    ...reader,
    by,
    wall,
    seed: wall.world.seed,
    found,
    texts,
    /** The posts of a list from the page at `path` to its end. */
    async toTheEnd(path: string): Promise<string[]> {
      await reader.open(path);
      const all = texts();
      while (found('main a').some((link) => wordsOf(link) === 'Дальше')) {
        await reader.follow('Дальше');
        all.push(...texts());
      }
      return all;
    },
    [Symbol.asyncDispose]: () => wall[Symbol.asyncDispose](),
  };
}

test('without scripts links lead through the feed, the posts of an author, and a person’s replies to their ends', async () => {
  await using reader = await openReading();
  const { seed, by } = reader;
  const posts = numbered(31, 'Пост');
  const ids = await seed.posts(posts.map((text) => ({ by, text })).toReversed());
  for (const path of ['/', '/users/anna_k']) assert.deepEqual(await reader.toTheEnd(path), posts, path);
  const direct = numbered(25, 'Ответ');
  const replies = await seed.replies(ids[30]!, direct.map((text) => ({ by, text })).toReversed());
  assert.match(await reader.text(), /31 запись · на стене с/);
  await reader.follow('Ответы');
  const path = '/users/anna_k/replies';
  assert.equal(await reader.path(), path);
  assert.deepEqual(
    ['Записи', 'Ответы'].map((name) =>
      reader
        .found('main nav a')
        .find((link) => wordsOf(link) === name)!
        .getAttribute('aria-current'),
    ),
    [null, 'page'],
  );
  assert.match(await reader.text(), /25 ответов · на стене с/);
  assert.deepEqual(await reader.toTheEnd(path), direct);

  await seed.replies(replies.at(-1)!, [{ by, text: 'Ответ на ответ' }]);
  assert.deepEqual(await reader.toTheEnd(`/posts/${ids[30]}`), ['Ответ 1.', 'Ответ на ответ', ...direct.slice(1)]);
});

test('without scripts posts and authors link to their pages, and a long branch goes on at its post', async () => {
  await using reader = await openReading();
  const { seed, by } = reader;
  const [id] = await seed.posts([{ by, text: 'Вопрос', age: 65 * 60 }]);
  const [first] = await seed.replies(id!, [{ by, text: 'Первый' }]);
  await reader.open('/');
  await reader.follow('1 ч.');
  assert.equal(await reader.path(), `/posts/${id}`);
  assert.match(await reader.text(), /Вопрос.*Ответы.*Первый/);
  await reader.follow('anna_k');
  assert.equal(await reader.path(), '/users/anna_k');
  await seed.replies(
    first!,
    numbered(60, 'Довод').map((text) => ({ by, text })),
  );
  await reader.open(`/posts/${id}`);
  const more = reader.found('main a').find((link) => /^Показать ещё \d+$/.test(wordsOf(link)))!;
  assert.equal(more.getAttribute('href'), `/posts/${first}`);
  assert.equal((await reader.toTheEnd(`/posts/${first}`)).length, 60);
  await reader.open(`/posts/${first}`);
  assert.match(reader.found('[aria-label="Начало обсуждения"]').map(wordsOf).join(), /Вопрос/);

  await seed.remove(id!);
  await reader.toTheEnd('/users/anna_k/replies');
  assert.match(await reader.text(), /Запись удалена/);
});

test('the best posts are a page of three periods, with a feed for programs', async () => {
  await using reader = await openReading();
  const { wall, seed, by } = reader;
  await reads(reader, '/best', /Пока ничего/);
  const people = [await seed.person('vera_k'), await seed.person('boris_k')];
  const [good, old] = await seed.posts([
    { by, text: 'Хорошая' },
    { by, text: 'Давняя', age: 10 * 86_400 },
  ]);
  const [answer] = await seed.replies(good!, [{ by: people[0]!, text: 'Хороший ответ' }]);
  await seed.posts([{ by, text: 'Обычная' }]);
  for (const id of [good!, old!]) for (const person of people) await seed.like(id, person);
  for (const person of [by, people[1]!]) await seed.like(answer!, person);
  await runJobs(wall.db, now() + 61);
  await reader.open('/discussed');
  await reader.follow('Лучшее недели');
  assert.deepEqual([await reader.path(), ...reader.texts()], ['/best', 'Хороший ответ', 'Хорошая']);
  assert.match(await reader.text(), /Что отметили и обсудили больше людей/);
  await reader.follow('Месяц');
  assert.deepEqual([await reader.path(), ...reader.texts()], ['/best/month', 'Хороший ответ', 'Давняя', 'Хорошая']);
  await reader.follow('Всё время');
  assert.equal(await reader.path(), '/best/all');
  assert.equal((await fetch(`${wall.url}/best/week`)).status, 404);
  const feed = await (await fetch(`${wall.url}/best.xml`)).text();
  assert.deepEqual(
    [...feed.matchAll(/<title>(.*)<\/title>/g)].map(([, title]) => title),
    ['Лучшее за неделю - Стена', 'Хороший ответ', 'Хорошая'],
  );
});

test('the tabs lead to discussions, which say how they go on, and to those one follows', async () => {
  await using reader = await openReading();
  const { wall, seed, by } = reader;
  await reads(reader, '/discussed', /Обсуждений пока нет/);
  const vera = await seed.person('vera_k');
  const [old] = await seed.posts(['Старая', 'Новая'].map((text) => ({ by, text })));
  for (const one of [vera, by, vera]) await seed.replies(old!, [{ by: one, text: 'Ответ в разговоре' }]);
  await reader.open('/');
  assert.deepEqual(reader.texts(), ['Новая', 'Старая']);
  const [newest, oldest] = reader.found('[role=feed] article').map(wordsOf);
  assert.match(oldest!, /vera_k.*Ответ в разговоре/);
  assert.doesNotMatch(newest!, /Ответ в разговоре/);
  await reader.follow('Обсуждаемые');
  assert.deepEqual([await reader.path(), ...reader.texts()], ['/discussed', 'Старая']);
  assert.equal(reader.found('nav[aria-label="Порядок ленты"] a[aria-current=page]').map(wordsOf).join(), 'Обсуждаемые');

  const member = await enter(wall, 'oleg_v');
  await reads(member, '/following', /Вы ни за чем не следите/);
  await seed.replies(old!, [{ by: member.id, text: 'Я тоже' }]);
  await seed.replies(old!, [{ by: vera, text: 'А я ещё раз' }]);
  await reads(member, '/following', /Старая.*\+1 нов/);
});

test('a removed post is shown to its author alone, with the reason and whom to write to, until it is restored', async () => {
  await using reader = await openReading();
  const { wall, seed } = reader;
  const author = await enter(wall, 'boris_p');
  const by = author.id;
  const [post] = await seed.posts([{ by, text: 'Выиграй миллион!' }]);
  const [reply] = await seed.replies(post!, [{ by, text: 'Жми сюда' }]);
  const [kept] = await seed.posts([{ by, text: 'Останется' }]);
  await seed.replies(kept!, [{ by: reader.by, text: 'Спасибо' }]);
  for (const id of [reply!, post!]) await seed.act('remove', id, 'Реклама в каждом ответе');
  await reader.open('/');
  assert.deepEqual(reader.texts(), ['Останется']);
  await reads(reader, `/posts/${post}`, /Запись не найдена/);
  for (const [path, text] of [
    ['/own/posts', 'Выиграй миллион!'],
    ['/own/replies', 'Жми сюда'],
    ['/notifications', 'Выиграй миллион!'],
  ] as const) {
    await author.open(path);
    assert.match(await author.text(), new RegExp(`${text}.*Причина: Реклама в каждом ответе`), path);
  }
  assert.match(await author.text(), /скажите тем, кто ведёт стену.*Непрочитанных.*Спасибо/);
  await author.send('Отметить прочитанными');
  assert.match(await author.text(), /Прочитано.*Выиграй миллион/);
  assert.doesNotMatch(await author.text(), /Непрочитанных|Отметить/);
  await seed.act('restore', post!);
  await author.open('/own/posts');
  assert.doesNotMatch(await author.text(), /Причина/);
  await reader.open('/');
  assert.deepEqual(reader.texts(), ['Останется', 'Выиграй миллион!']);
});

test('five situations have a small picture each, in the HTML', async () => {
  await using wall = await openStory('sqlite');
  const [visitor, anna] = [openTextBrowser(wall.url), await enter(wall)];
  const pictures = new Map<string, string>();
  for (const [browser, path, title] of [
    [anna, '/own/posts', 'Записи не найдены'],
    [visitor, '/search?q=дирижабль', 'Ничего не нашлось'],
    [visitor, '/nothing', 'Страница не существует'],
    [visitor, '/posts/999', 'Запись не найдена'],
    [visitor, '/liked', 'Нужно войти'],
    [anna, '/notifications', 'Уведомлений пока нет'],
  ] as const) {
    await browser.open(path);
    const heading = [...browser.page().document.querySelectorAll('main h2')].find((each) => wordsOf(each) === title);
    const picture = heading!.parentElement!.querySelector('svg')!.outerHTML;
    assert.ok(Buffer.byteLength(picture) <= 600, path);
    pictures.set(picture, title);
  }
  assert.equal(pictures.size, 5);
});

test('the right column of a named wall says whom to write to; its name and line are in the sign and the rail', async () => {
  await using wall = await openStory('sqlite', { APP_NAME: 'Дом 12', CONTACT: 'mailto:dom12@example.org' });
  const line = { key: 'line', value: JSON.stringify('Соседи и их дела') };
  await wall.db.tx(async (tx) => {
    await tx.db.insertInto('wall_settings').values(line).execute();
    tx.touch('wall');
  });
  const visitor = openTextBrowser(wall.url);
  await visitor.open('/');
  const column = visitor.page().document.querySelector('aside')!;
  assert.match(wordsOf(column), /^О стене ?Правила · Кому писать$/);
  for (const place of ['nav[aria-label="Разделы"]', '[aria-label="Чья это стена"]']) {
    assert.match(wordsOf(visitor.page().document.querySelector(place)!), /Дом 12 ?Соседи и их дела/);
  }
  const links = [...column.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  assert.deepEqual(links, ['/rules', 'mailto:dom12@example.org']);
});

test('the texts of the wall lead to each other, as do the settings; a form opens them beside itself', async () => {
  await using wall = await openStory('sqlite');
  const [visitor, anna] = [openTextBrowser(wall.url), await enter(wall)];
  const texts = { about: 'О стене', rules: 'Правила', privacy: 'Конфиденциальность' };
  const inMain = ({ page }: typeof visitor, target: string | null) => {
    for (const [name, words] of Object.entries(texts)) {
      // The texts themselves have such links too, so the last one is checked.
      const link = [...page().document.querySelectorAll(`main a[href="/${name}"]`)].at(-1)!;
      assert.deepEqual([wordsOf(link), link.getAttribute('target')], [words, target]);
    }
  };
  for (const [name, words] of Object.entries(texts)) {
    await visitor.open(`/${name}`);
    assert.equal(wordsOf(visitor.page().document.querySelector('h1')!), words);
    inMain(visitor, null);
  }
  await anna.open('/settings');
  inMain(anna, null);
  await visitor.open('/sign-in');
  inMain(visitor, '_blank');
  await anna.open(`/posts/${wall.world.postId}/report`);
  inMain(anna, '_blank');
});

test('a discussion is a tree with the newest direct reply first, below it the oldest, and an empty place of a deleted one', async () => {
  await using wall = await openStory('sqlite');
  const below = [{ text: 'Под первым', below: [{ text: 'Ещё глубже' }] }, { text: 'Рядом' }];
  const ids = await seedDiscussion(wall.world, 'Вопрос', [{ text: 'Первый', below }, { text: 'Второй' }]);
  const visitor = openTextBrowser(wall.url);
  const named = async () => {
    await visitor.open(`/posts/${ids.get('Вопрос')}`);
    return [...visitor.page().document.querySelectorAll('[role=feed] article')].map((article) => [
      Number(article.getAttribute('data-depth')),
      article.querySelector(':scope > div > [dir=auto]')?.textContent ?? article.getAttribute('aria-label'),
    ]);
  };
  const tree = [
    [0, 'Второй'],
    [0, 'Первый'],
    [1, 'Под первым'],
    [2, 'Ещё глубже'],
    [1, 'Рядом'],
  ];
  assert.deepEqual(await named(), tree);
  assert.match(await visitor.text(), /Вопрос1 дн\.НравитсяОтветить 5/);
  const beside = [...visitor.page().document.querySelectorAll('article')].find((each) =>
    /Рядом/.test(each.textContent),
  )!;
  const label = beside.getAttribute('aria-labelledby')!.split(' ');
  const words = label.map((id) => wordsOf(visitor.page().document.querySelector(`[id="${id}"]`)!)).join(' ');
  assert.equal(words, 'boris_p уровень 2, в ответ boris_p');
  await wall.world.seed.remove(ids.get('Под первым')!);
  assert.deepEqual(await named(), tree.with(2, [1, 'Запись удалена']));
});

for (const engine of engines) {
  test(`the lists of two people who ask in turn have what is theirs on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const { seed, author, postId } = wall.world;
    const [anna, boris] = [await enter(wall), await enter(wall, 'boris_petrov')];
    const write = async (by: number, text: string) => (await seed.posts([{ by, text }]))[0]!;
    const [hers, his] = [await write(anna.id, 'Запись Анны'), await write(boris.id, 'Запись Бориса')];
    await seed.replies(hers, [{ by: author.id, text: 'Ответ Анне' }]);
    await seed.replies(his, [
      { by: author.id, text: 'Ответ Борису' },
      { by: author.id, text: 'Ещё ответ Борису' },
    ]);
    await seed.like(postId, anna.id);
    for (let turn = 0; turn < 2; turn += 1) {
      await anna.open('/notifications');
      const forAnna = await anna.text();
      assert.match(forAnna, /Непрочитанных: 1.*1 новый ответ · в вашем обсуждении «Запись Анны».*Ответ Анне/);
      assert.doesNotMatch(forAnna, /Борис/);
      await boris.open('/notifications');
      const forBoris = await boris.text();
      assert.match(forBoris, /Непрочитанных: 2.*2 новых ответа · в вашем обсуждении «Запись Бориса»/);
      assert.doesNotMatch(forBoris, /Ответ Анне/);
    }
    await anna.open('/notifications');
    await anna.send('Отметить прочитанными');
    assert.match(await anna.text(), /Прочитано.*1 ответ · в вашем обсуждении «Запись Анны»/);
    await reads(anna, '/liked', /закваску/);
    const like = anna.page().document.querySelector('main article [aria-pressed]');
    assert.equal(like?.getAttribute('aria-pressed'), 'true');
    await boris.open('/liked');
    assert.doesNotMatch(await boris.text(), /закваску/);
  });

  test(`a list shows no word of a muted author on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const { seed, author, postId } = wall.world;
    const anna = await enter(wall);
    await seed.like(postId, anna.id);
    const [own] = await seed.posts([{ by: anna.id, text: 'Запись Анны' }]);
    await seed.replies(own!, [{ by: author.id, text: 'Услышьте меня' }]);
    await anna.open(`/posts/${postId}/actions`);
    await anna.send('Не показывать автора');
    await anna.open('/liked');
    assert.doesNotMatch(await anna.text(), new RegExp(`закваску|${author.name}`));
    await reads(anna, '/notifications', /которых вы решили не показывать/);
    assert.doesNotMatch(await anna.text(), /Услышьте/);
  });
}

test('pages contain nothing that validators refuse, and links and buttons that text browsers tell apart', async () => {
  await using reader = await openReading();
  const [id] = await reader.seed.posts([{ by: reader.by, text: 'запись' }]);
  const wrong = [
    ':is(span, p, button) :is(form, ul, p)',
    'input[type=hidden][readonly]',
    '[aria-disabled=false]',
    'input[aria-checked]',
    'aside:not([aria-label])',
    // Links, or a link and a form, beside each other.
    ':not(p) > a + a',
    'nav a ~ form',
    'article button:empty',
  ].join();
  for (const path of ['/', `/posts/${id}`, '/users/anna_k', '/search', '/sign-in', '/join', '/about']) {
    await reader.open(path);
    assert.deepEqual(
      reader.found(wrong).map(({ outerHTML }) => outerHTML),
      [],
      path,
    );
    const menus = reader.found('article [aria-haspopup=menu]').map(wordsOf);
    assert.ok(
      menus.every((words) => words === 'Действия с записью'),
      path,
    );
  }
});
