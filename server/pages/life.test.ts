import assert from 'node:assert/strict';
import { registerModerator } from '../../test/kit/desk.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

const day = 86_400;

onWalls({ RATE_LIMITS: 'off' })(
  '«Жизнь стены» is a picture without scripts, and a table with the same figures',
  async (wall) => {
    const owner = await registerModerator(wall, 'owner');
    await wall.db.tx(({ db }) => db.deleteFrom('days').execute());
    const today = Math.floor(wall.clock.now / day);
    const page = async (query = ''): Promise<string> => {
      const response = await wall.app.inject({
        url: `/keep?part=life${query}`,
        cookies: Object.fromEntries(owner.cookies),
      });
      assert.equal(response.statusCode, 200);
      return /<main[\s\S]*<\/main>/.exec(response.body)![0].replaceAll('<!-- -->', '');
    };
    const add = (row: object) =>
      wall.db.tx(({ db }) =>
        db
          .insertInto('days')
          .values({ day: today, first_id: 1, last_id: 1, stale: 0, ...row })
          .execute(),
      );

    const empty = await page();
    assert.match(empty, /За 30 дней на стене ничего не происходило/);
    assert.doesNotMatch(empty, /role="img"|<table/);

    await add({ posts: 1, writers: 1 });
    const one = await page();
    assert.match(one, /За 30 дней: 1 запись и 0 ответов\./);
    assert.match(one, /Новых людей не было/);
    assert.deepEqual(one.match(/d="M29 100V\d+"/g), ['d="M29 100V6"', 'd="M29 100V3"'], 'the post, and its author');

    await add({ day: today - 1, posts: 9_000, replies: 1_000, writers: 40, newcomers: 7, answered: 5 });
    const huge = await page();
    assert.match(huge, /до 10000 за день/);
    assert.match(huge, /Ответ на первую запись за сутки получили 5 из 7/);
    assert.match(huge, /role="img" aria-label="Записи и ответы по дням: 9001 запись и 1000 ответов"/);
    const bars = [...huge.matchAll(/M\d+ (\d+)V(\d+)/g)].map(([, from, to]) => [Number(from), Number(to)]);
    assert.equal(bars.length, 7);
    for (const [from, to] of bars) assert.ok(from! <= 100 && from! - to! >= 3 && to! >= 0, `${from} ${to}`);
    const rows = [...huge.matchAll(/<tr><th scope="row">[^<]+<\/th>(.*?)<\/tr>/g)].map(([, cells]) =>
      [...cells!.matchAll(/<td>(\d+)<\/td>/g)].map(([, figure]) => Number(figure)),
    );
    assert.deepEqual(
      [rows.length, ...rows.slice(0, 3)],
      [30, [1, 0, 1, 0, 0], [9_000, 1_000, 40, 7, 5], [0, 0, 0, 0, 0]],
    );
    assert.doesNotMatch(huge, /<script|style=/);
    assert.match(huge, /href="\/keep\?part=life&amp;days=90"/);
    assert.match(await page('&days=90'), /За 90 дней: .*href="\/keep\?part=life"/s);
  },
);
