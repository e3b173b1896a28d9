import assert from 'node:assert/strict';
import type { MailServer } from '../smtp.ts';
import { isAt, lacks, shows } from './act.ts';
import type { StoryBrowser } from './text-browser.ts';

/** A wall that has just been started for the first time. */
export interface NewWorld {
  mail: Pick<MailServer, 'codeTo'>;
  /** The path of the link that the wall has printed for its owner. */
  ownerPath: string;
  owner: string;
  neighbour: string;
}

type Values = Readonly<Record<string, string | true>>;

/** The most taps and typed texts that the first hour may ask of the owner. */
const atMost = { taps: 25, texts: 4 };

/** From the link in the chat to the first reply. */
const atMostOfNeighbour = { taps: 4, texts: 3 };

const setting = /\b[A-Z]{2,}_[A-Z_]+\b/;

/** Counts the taps and texts of a person. Asserts that no page is shown twice and that none names a setting of the server. */
function counting(browser: StoryBrowser) {
  const seen = new Set<string>();
  const count = { taps: 0, texts: 0 };
  const look = async (): Promise<void> => {
    const path = await browser.path();
    assert.ok(!seen.has(path), `${path} came twice`);
    seen.add(path);

    assert.doesNotMatch(await browser.text(), setting);
  };
  return {
    count,
    look,
    async send(button: string, values: Values = {}): Promise<void> {
      const given = Object.values(values);
      count.taps += 1 + given.filter((value) => value === true).length;
      count.texts += given.filter((value) => value !== true).length;
      await browser.send(button, values);
    },
    async follow(link: string): Promise<void> {
      count.taps += 1;
      await browser.follow(link);
    },
  };
}

/** The steps from the printed link to the first reply of a neighbour. */
export function firstHour(browser: StoryBrowser, world: NewWorld): Array<{ name: string; run(): Promise<void> }> {
  const { count, look, send, follow } = counting(browser);
  let link = '';
  const enter = async (email: string): Promise<void> => {
    await send('Получить код', { 'Электронная почта': email });
    await shows(browser, email);
    await look();
    await send('Продолжить', { 'Код из письма': await world.mail.codeTo(email) });
  };
  const steps: Record<string, () => Promise<void>> = {
    async 'the printed link'() {
      await browser.open(world.ownerPath);
      await shows(browser, 'У этой стены ещё нет владельца', 'Им станете вы');
      await look();
      await enter(world.owner);
      await shows(browser, '1 из 5', 'Как называется');
      await look();
    },
    async 'whose wall'() {
      const onlyByLink = 'По ссылке: читают все, пишут те, кого позвали';
      await send('Дальше: как вас называть', { 'Как называется': 'Дом 12 на Мира', '🏡': true, [onlyByLink]: true });
      await shows(browser, '2 из 5');
      await look();
    },
    async 'how to call you'() {
      await send('Дальше: правила', { 'Имя любыми буквами': 'Анна Петровна' });
      await shows(browser, '3 из 5', 'Своё правило');
      await look();
    },
    async rules() {
      await send('Дальше: первая запись');
      await shows(browser, '4 из 5', 'Зачем мы здесь');
      await look();
    },
    async 'the first post'() {
      await follow('Что сломалось?');
      await isAt(browser, '/keep?step=post&begin=broken');
      await send('Опубликовать и позвать людей');
      await shows(browser, '5 из 5');
      await look();
    },
    async 'ask people in'() {
      await send('Сделать ссылку');
      await shows(browser, '/join/');
      link = /\/join\/[\w-]+/.exec(await browser.text())![0];
      await follow('На стену');
      await shows(browser, 'Дом 12 на Мира', 'Анна Петровна', 'Что у нас сейчас сломано');
      await lacks(browser, 'До первых людей');
      assert.deepEqual([count.taps <= atMost.taps, count.texts], [true, atMost.texts], JSON.stringify(count));
    },
    async 'the owner’s page'() {
      await browser.open('/keep');
      await shows(browser, 'Дом 12 на Мира', 'Приходят по ссылке', 'Правила написаны здесь', 'Последнее письмо ушло');
      await lacks(browser, 'До первых людей');
      await browser.open('/settings');
      await browser.send('Выйти');
    },
    async 'a neighbour'() {
      const before = { ...count };
      await browser.open(link);
      await shows(browser, 'Дом 12 на Мира', 'Вас зовёт Анна Петровна', 'Здесь уже пишет Анна Петровна');
      await enter(world.neighbour);
      if (!browser.hasScripts) await follow('Продолжить');
      await shows(browser, 'Что у нас сейчас сломано');
      // With scripts the feed asks for the name at once. The question can wait.
      if (browser.hasScripts) await shows(browser, 'Как вас называть?');
      await browser.open('/posts/1/reply');
      await send('Опубликовать', { 'Текст ответа': 'Лифт стоит с пятницы' });
      await shows(browser, 'Опубликовано');
      assert.ok(count.taps <= atMost.taps, JSON.stringify(count));
      const own = { taps: count.taps - before.taps, texts: count.texts - before.texts };
      assert.ok(own.taps <= atMostOfNeighbour.taps && own.texts <= atMostOfNeighbour.texts, JSON.stringify(own));
    },
    async 'the question about the name'() {
      if (browser.hasScripts) await browser.open('/');
      await shows(browser, 'Как вас называть?');
      if (browser.hasScripts) await browser.send('Готово', { 'Имя любыми буквами': 'Борис' });
      else await browser.send('Сохранить', { 'Как вас называть': 'Борис' });
      await browser.open('/posts/1');
      await shows(browser, 'Борис', 'Лифт стоит с пятницы');
    },
  };
  return Object.entries(steps).map(([name, run]) => ({ name, run }));
}
