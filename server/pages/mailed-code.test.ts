import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { enter } from '../../test/kit/journeys/enter.ts';
import { type OpenedStory, openStory } from '../../test/kit/journeys/open-story.ts';
import { openTextBrowser } from '../../test/kit/journeys/text-browser.ts';
import { SECRET } from '../../test/kit/server-process.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { makeSecrets } from '../secrets.ts';

/** A person with an account who has asked for a code, without scripts. */
async function askForCode({ url, world }: OpenedStory, name: string) {
  await world.seed.person(name);
  const browser = openTextBrowser(url);
  await browser.open('/sign-in');
  await browser.send('Получить код', { 'Электронная почта': `${name}@example.org` });
  const step = await browser.path();
  return {
    text: () => browser.text(),
    async becomes(text: RegExp): Promise<void> {
      let shown = '';
      const found = pollWithin(1_000, async () => {
        await browser.open(step);
        shown = await browser.text();
        return text.test(shown) || undefined;
      });
      await found.catch(() => assert.match(shown, text));
    },
  };
}

for (const engine of engines) {
  test(`without scripts the step of the code says what became of the letter, on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const reply = Promise.withResolvers<void>();
    wall.mail.replyAfter(() => reply.promise);
    const anna = await askForCode(wall, 'anna_k');
    assert.match(await anna.text(), /Код придёт на anna_k@example\.org ?Отправляем письмо… Обновите страницу/);
    assert.doesNotMatch(await anna.text(), /отправлен/);
    reply.resolve();
    await anna.becomes(/Код отправлен на anna_k@example\.org ?Код — в теме письма/);

    wall.mail.refuse((address) => (address.startsWith('boris') ? 550 : undefined));
    const boris = await askForCode(wall, 'boris_k');
    await boris.becomes(/Не удалось отправить код на boris_k@example\.org ?Этот адрес не принимает почту/);

    wall.mail.refuse((address) => (address.startsWith('wall') ? 550 : undefined));
    const clara = await askForCode(wall, 'clara_k');
    await clara.becomes(/Код придёт на clara_k@example\.org ?Письма сейчас не уходят: .*Пробуем ещё/);
    assert.doesNotMatch(await clara.text(), /refused|550|отправлен/, 'the words of the server are for owners');
  });
}

test('a page of one person says it too', async () => {
  await using wall = await openStory('sqlite');
  wall.mail.refuse(() => 550);
  const anna = await enter(wall, 'anna_k');
  await anna.open('/settings/account/email');
  await anna.send('Получить код', { 'Новый адрес': wall.email });
  const step = await anna.path();
  await pollWithin(1_000, async () => {
    await anna.open(step);
    return /Письма сейчас не уходят/.test(await anna.text()) || undefined;
  });
});

const ownerLink = (): string => {
  const until = String(Math.floor(Date.now() / 1_000) + 60);
  return `/owner/${until}.${makeSecrets(SECRET).sign('owner link', until)}`;
};

test('without a mail server nothing promises a letter, and the step says where the code is and whom to ask', async () => {
  await using wall = await openStory('sqlite', { SMTP_URL: '' });
  const code = await wall.world.seed.invitation({});
  const visitor = openTextBrowser(wall.url);
  for (const path of ['/sign-in', `/join/${code}`, ownerLink()]) {
    await visitor.open(path);
    assert.match(await visitor.text(), /Почта ещё не подключена: код покажет тот, кто запустил стену\./, path);
    // The sign-in keeps the words of the specification, which promise a code by mail.
    if (path !== '/sign-in') assert.doesNotMatch(await visitor.text(), /пришлём/, path);
  }
  const step = /Код для anna_k@example\.org ?Почта ещё не подключена\. Код показан там, где запущена стена\. /;
  const anna = await askForCode(wall, 'anna_k');
  assert.match(
    await anna.text(),
    new RegExp(`${step.source}Если запускали её не вы, спросите код у того, кто запустил`),
  );
  assert.doesNotMatch(await anna.text(), /отправлен|письм/i);

  const { seed } = wall.world;
  const keeper = await seed.person('keeper');
  await seed.appoint({ id: keeper, name: 'keeper' }, 'owner');
  await seed.name(keeper, 'Анна Петровна');
  const called = await seed.invitation({ id: keeper, seats: 1 });
  const posted = await seed.person('boris_k');
  await seed.posts([{ by: posted, text: 'Всем привет' }]);
  await visitor.open(`/join/${called}`);
  assert.match(await visitor.text(), /Вас зовёт Анна Петровна ?Здесь уже пишут boris_k/);
  const preview = () => visitor.page().document.querySelector('meta[property="og:title"]')?.getAttribute('content');
  assert.match(preview() ?? '', /^Анна Петровна зовёт вас: /);
  assert.equal(visitor.page().document.querySelector('meta[name="robots"]')!.getAttribute('content'), 'noindex');
  await visitor.open('/join/K7QFA-2MZX9');
  assert.equal(visitor.page().status, 404);
  assert.match(await visitor.text(), /Это приглашение не действует/);
  assert.equal(preview(), undefined);
  await visitor.open(`/join/${code}`);
  assert.match(await visitor.text(), /Код покажет Анна Петровна\. Пароль не нужен\./);
  await visitor.send('Получить код', { 'Электронная почта': 'vera@example.org' });
  assert.match(await visitor.text(), /Код для vera@example\.org ?Код покажет Анна Петровна\. Напишите или позвоните\./);

  await using known = await openStory('sqlite', { SMTP_URL: '', CONTACT: 'mailto:dvor@example.org' });
  const asked = await askForCode(known, 'anna_k');
  assert.match(await asked.text(), new RegExp(`${step.source}Если запускали её не вы, спросите код: dvor@example.org`));
});

test('the address of the sender on this machine is nowhere shown as a contact', async () => {
  await using wall = await openStory('sqlite');
  const { seed, author, reportedId } = wall.world;
  const owner = await enter(wall, 'keeper', 'owner');
  await owner.open(`/posts/${reportedId}/actions`);
  await owner.follow('Убрать со стены…');
  await owner.send('Убрать со стены', { Причина: 'Реклама' });
  const writer = openTextBrowser(wall.url);
  writer.cookies.set('session', (await seed.session(author.id)).cookie);
  await writer.open('/notifications');
  assert.match(await writer.text(), /Если это ошибка, скажите тем, кто ведёт стену\./);
  const pages = ['/', '/sign-in', '/about', '/rules', '/privacy', '/notifications', '/keep?part=about'];
  for (const path of pages) {
    for (const browser of [owner, writer]) {
      await browser.open(path);
      assert.doesNotMatch(browser.page().body, /wall@localhost/, path);
    }
  }
  await owner.open('/about');
  assert.match(await owner.text(), /присылайте сюда: адреса пока нет\./);
});
