import assert from 'node:assert/strict';
import { registerModerator } from '../../test/kit/desk.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

const day = 86_400;

onWalls({ RATE_LIMITS: 'off' })(
  '«Жизнь стены» is a picture without scripts, and a table with the same figures',
  async (wall) => {
    const owner = await registerModerator(wall, 'owner');
    const writers = await Promise.all(Array.from({ length: 40 }, (_, i) => wall.person(`writer_${i}`)));
    await wall.db.tx(({ db }) => db.updateTable('users').set({ created_at: 1 }).execute());
    const yesterday = wall.clock.now - day;
    const page = async (query = ''): Promise<string> => {
      const response = await wall.app.inject({
        url: `/keep?part=life${query}`,
        cookies: Object.fromEntries(owner.cookies),
      });
      assert.equal(response.statusCode, 200);
      return /<main[\s\S]*<\/main>/.exec(response.body)![0].replaceAll('<!-- -->', '');
    };
    /** Posts of these people in turn, and replies by the first of them. */
    const write = async (at: number, people: readonly number[], posts: number, replied: readonly number[] = []) => {
      const row = { text: 'x', created_at: at, depth: 0 };
      const roots = { parent_post_id: null, replied_post_id: null };
      const rows = [
        ...Array.from({ length: posts }, (_, i) => ({ ...row, ...roots, user_id: people[i % people.length]! })),
        ...replied.map((id) => ({ ...row, user_id: people[0]!, parent_post_id: id, replied_post_id: id, depth: 1 })),
      ];
      const found = await wall.db.tx(({ db }) => db.insertInto('all_posts').values(rows).returning('id').execute());
      wall.clock.now += 60;
      return found.map(({ id }) => id);
    };

    const empty = await page();
    assert.match(empty, /За 30 дней на стене ничего не происходило/);
    assert.doesNotMatch(empty, /role="img"|<table/);

    await write(wall.clock.now, writers, 1);
    const one = await page();
    assert.match(one, /За 30 дней: 1 запись и 0 ответов\./);
    assert.match(one, /Новых людей не было/);
    assert.deepEqual(one.match(/d="M29 100V\d+"/g), ['d="M29 100V6"', 'd="M29 100V3"'], 'the post, and its author');

    const newcomers = await Promise.all(Array.from({ length: 7 }, (_, i) => wall.person(`new_${i}`)));
    await wall.db.tx(({ db }) =>
      db.updateTable('users').set({ created_at: yesterday }).where('id', 'in', newcomers).execute(),
    );
    const firsts = await write(yesterday, newcomers, 7);
    await write(yesterday, writers.slice(0, 33), 893, [
      ...firsts.slice(0, 5),
      ...Array.from({ length: 95 }, () => firsts[0]!),
    ]);
    const huge = await page();
    assert.match(huge, /до 1000 за день/);
    assert.match(huge, /Ответ на первую запись за сутки получили 5 из 7/);
    assert.match(huge, /role="img" aria-label="Записи и ответы по дням: 901 запись и 100 ответов"/);
    const bars = [...huge.matchAll(/M\d+ (\d+)V(\d+)/g)].map(([, from, to]) => [Number(from), Number(to)]);
    assert.equal(bars.length, 7);
    for (const [from, to] of bars) assert.ok(from! <= 100 && from! - to! >= 3 && to! >= 0, `${from} ${to}`);
    const rows = [...huge.matchAll(/<tr><th scope="row">[^<]+<\/th>(.*?)<\/tr>/g)].map(([, cells]) =>
      [...cells!.matchAll(/<td>(\d+)<\/td>/g)].map(([, figure]) => Number(figure)),
    );
    assert.deepEqual([rows.length, ...rows.slice(0, 3)], [30, [1, 0, 1, 0, 0], [900, 100, 40, 7, 5], [0, 0, 0, 0, 0]]);
    assert.doesNotMatch(huge, /<script|style=/);
    assert.match(huge, /href="\/keep\?part=life&amp;days=90"/);
    assert.match(await page('&days=90'), /За 90 дней: .*href="\/keep\?part=life"/s);
  },
);
