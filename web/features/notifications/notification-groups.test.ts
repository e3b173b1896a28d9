import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter } from '../../../test/kit/journeys/enter.ts';
import { wordsOf } from '../../../test/kit/journeys/find.ts';
import { openStory } from '../../../test/kit/journeys/open-story.ts';
import { now } from '../../../test/kit/signed-in.ts';

/** The notifications of Anna, to whom Boris writes. */
async function openNotifications() {
  const wall = await openStory('sqlite');
  const { seed } = wall.world;
  const anna = await enter(wall);
  const boris = await seed.person('boris_petrov');
  const wordsIn = (selector: string) =>
    [...anna.page().document.querySelectorAll(`[role=feed] ${selector}`)].map(wordsOf);
  return {
    ...wall,
    seed,
    anna,
    boris,
    write: (by: number, ...texts: string[]) => seed.posts(texts.map((text) => ({ by, text }))),
    reply: (by: number, to: number, ...texts: string[]) =>
      seed.replies(
        to,
        texts.map((text) => ({ by, text })),
      ),
    card: (text: string): string => wordsIn('article[aria-posinset]').find((words) => words.includes(text))!,
    texts: () => wordsIn('article > div > [dir=auto]'),
    async hasHeads(...expected: RegExp[]): Promise<void> {
      await anna.open('/notifications');
      const heads = wordsIn('h2');
      assert.equal(heads.length, expected.length, heads.join(' | '));
      for (const [place, head] of expected.entries()) assert.match(heads[place]!, head);
    },
  };
}

test('replies stand below the head of their discussion, newest first, and own ones are left out', async () => {
  await using wall = await openNotifications();
  const { seed, anna, boris, write, reply } = wall;
  const [rink, bakery, gone] = await write(
    anna.id,
    'Кто идёт на каток?',
    'Кто знает хорошую пекарню? У старого моста закрыли. '.repeat(3),
    'Скоро удалю',
  );
  await reply(boris, gone!, 'Ответ в пустоту');
  await seed.remove(gone!);
  const [his] = await reply(boris, rink!, 'Раз');
  await reply(boris, bakery!, 'За аптекой');
  await reply(boris, rink!, 'Два');
  const [mine] = await reply(anna.id, his!, 'Тогда в десять');
  await reply(boris, mine!, 'Три', 'Четыре');
  await reply(await seed.person('vera_smirnova'), his!, 'И я с тобой');
  await wall.hasHeads(
    /^5 новых ответов · в вашем обсуждении «Кто идёт на каток\?»$/,
    /^1 новый ответ · в вашем обсуждении «Кто знает хорошую пекарню\? У старого моста закрыли\. Кто…»$/,
    /^1 новый ответ Запись удалена$/,
  );
  assert.deepEqual(wall.texts(), ['И я с тобой', 'Четыре', 'Три', 'Два', 'Раз', 'За аптекой', 'Ответ в пустоту']);
  // The first reply to a post that is not the root quotes that post.
  assert.match(wall.card('Четыре'), /Тогда в десять/);
  assert.doesNotMatch(wall.card('Три'), /Тогда в десять/);
  assert.match(wall.card('И я с тобой'), /Раз/);
  assert.match(wall.card('Два'), /на саму запись/);
  assert.doesNotMatch(wall.card('Раз'), /на саму запись/);
  assert.equal((await anna.text()).match(/Кто идёт на каток/g)?.length, 1);

  await seed.mark(rink!, { modified_at: now() + 60 });
  await seed.edit(rink!, 'Кто идёт на лыжах?');
  await wall.hasHeads(/«Кто идёт на лыжах\?»$/, /пекарню/, /удалена/);
  await seed.remove(rink!);
  await wall.hasHeads(/^5 новых ответов · вы следите за обсуждением Запись удалена$/, /пекарню/, /удалена/);
  await anna.send('Отметить прочитанными');
  await wall.hasHeads(/^5 ответов · /, /^1 ответ · /, /^1 ответ /);
});

test('a mention and a followed discussion say why they are among the notifications', async () => {
  await using wall = await openNotifications();
  const { seed, anna, boris, write, reply } = wall;
  const [his, other] = await write(boris, 'Где чинят коньки?', 'Кто был на озере?');
  await seed.follow(his!, anna.id);
  await seed.name(boris, 'Борис');
  await reply(boris, his!, 'Нашёл сам');
  await reply(boris, other!, 'Думаю, @anna_k был');
  await write(boris, 'Спасибо, @anna_k, за лёд');
  await wall.hasHeads(
    /^Новое упоминание в записи Борис$/,
    /^1 новый ответ «Кто был на озере\?»$/,
    /^1 новый ответ · вы следите за обсуждением «Где чинят коньки\?»$/,
  );
  assert.match(wall.card('Думаю'), /упоминает вас/);
  assert.doesNotMatch(wall.card('за лёд'), /упоминает вас/);
  assert.doesNotMatch(wall.card('Нашёл сам'), /следите/);
  assert.match(await anna.text(), /Непрочитанных: 3/);
});
