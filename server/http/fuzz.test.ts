import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { apiPrefix } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { newAddress, openBrowser } from '../../test/door.ts';
import { engines } from '../../test/engines.ts';
import { openWall } from '../../test/wall.ts';

const bodiesPerCall = 1_000;

const hostile = fc.constantFrom<unknown>(
  null,
  '',
  '\0',
  '\ud800',
  'a@b.ru',
  '123456',
  '１２３４５６',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  'x'.repeat(5_000),
);

/** Bodies near enough to the right one to get past the first check, and others. */
const body = (names: string[]) =>
  fc.oneof(
    fc.dictionary(
      fc.constantFrom(...names, 'x', '__proto__', 'constructor'),
      fc.oneof(hostile, fc.string(), fc.object({ maxDepth: 2 })),
    ),
    fc.anything({ maxDepth: 2 }),
  );

for (const engine of engines) {
  describe(`any body whatever on ${engine}`, () => {
    const calls = table.filter(({ endpoint, schemas }) => schemas.body && endpoint.method !== 'GET');
    for (const { name, endpoint, schemas } of calls) {
      test(name, async () => {
        const wall = await openWall(engine, { RATE_LIMITS: 'off' });
        const browser = openBrowser(wall);
        await browser.enter('registrations', newAddress());
        const names = Object.keys((schemas.body as { properties: object }).properties);
        const numRuns = engine === 'sqlite' ? bodiesPerCall : bodiesPerCall / 5;
        await fc.assert(
          fc.asyncProperty(body(names), async (payload) => {
            const response = await wall.app.inject({
              method: endpoint.method,
              url: apiPrefix + endpoint.path.replace(/\{\w+\}/, '1'),
              headers: {
                'content-type': 'application/json',
                'sec-fetch-site': 'same-origin',
                authorization: `Bearer ${browser.token}`,
              },
              payload:
                JSON.stringify(payload, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ??
                '',
            });
            assert.ok(response.statusCode < 500, `${response.statusCode} ${response.body}`);
            if (response.statusCode >= 400) assert.deepEqual(Object.keys(response.json()), ['code', 'message']);
          }),
          { numRuns },
        );
        await wall.close();
      });
    }
  });
}
