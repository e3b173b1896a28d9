import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '#client/api-error.ts';
import { limits } from '#contract/limits.ts';
import { grouped, assigned, type Assignments } from './use-groups.ts';
import { createReadReporter } from './read-notifications.ts';

describe('what is read', () => {
  /** The list, newest first. Its order differs from that of the ids. */
  const order = ['9', '11', '10', '8', '7'];

  /** A reporter whose calls and pauses the test ends. */
  function openReader({ mock }: TestContext) {
    mock.timers.enable({ apis: ['setTimeout'] });
    const sent: Array<PromiseWithResolvers<void>> = [];
    const reported: string[] = [];
    const pauses: Array<() => void> = [];
    const reporter = createReadReporter({
      isNewer: (id, than) => order.indexOf(id) < order.indexOf(than),
      send(upTo) {
        reported.push(upTo);
        sent.push(Promise.withResolvers());
        return sent.at(-1)!.promise;
      },
      pause: () => new Promise((go) => void pauses.push(go)),
    });
    /** Notifications that are seen together are sent together. */
    const gather = async (): Promise<void> => {
      await turn();
      mock.timers.tick(50);
      await turn();
    };
    return {
      reported,
      pauses,
      async read(...ids: string[]) {
        ids.forEach(reporter.read);
        await gather();
      },
      async end(error?: Error) {
        if (error) sent.at(-1)!.reject(error);
        else sent.at(-1)!.resolve();
        await gather();
      },
      async endPause() {
        pauses.at(-1)!();
        await gather();
      },
    };
  }

  test('is reported by the newest of several that are seen together, one request at a time', async (t) => {
    const { read, end, reported } = openReader(t);
    await read('7', '8');
    await read('10', '11');
    await read('9');
    assert.deepEqual(reported, ['8']);
    await end();
    assert.deepEqual(reported, ['8', '9']);
    await end();
    await read('10', '11');
    assert.equal(reported.length, 2);
  });

  test('is reported again after a failure, together with newer ones', async (t) => {
    const { read, end, endPause, reported, pauses } = openReader(t);
    await read('8');
    await end(new TypeError('no network'));
    await read('9');
    assert.deepEqual([reported, pauses.length], [['8'], 1]);
    await endPause();
    await end(new ApiError('TOO_MANY_REQUESTS', '', 429));
    await endPause();
    assert.deepEqual(reported, ['8', '9', '9']);
  });

  test('is not repeated when it was rejected, and older ones still are reported', async (t) => {
    const { read, end, reported, pauses } = openReader(t);
    await read('8');
    await end(new ApiError('NOT_FOUND', '', 404));
    assert.deepEqual([reported, pauses.length], [['8'], 0]);
    await read('7');
    assert.deepEqual(reported, ['8', '7']);
  });
});

describe('groups', () => {
  /** The groups of a list that had these ids in turn. The letter of an id is its discussion. */
  const shown = (...lists: readonly string[][]): string => {
    const assignments = lists.reduce<Assignments>((before, ids) => assigned(before, ids, (id) => id[0]!), new Map());
    return grouped(assignments, lists.at(-1)!)
      .map((ids) => ids.join(' '))
      .join(', ');
  };
  const first = ['a9', 'b8', 'a7'];

  test('have the replies of one discussion together, the discussion with the newest first', () => {
    assert.equal(shown(['a9', 'b8', 'a7', 'c6', 'b5']), 'a9 a7, b8 b5, c6');
    assert.equal(shown([]), '');
  });

  test('older pages go below and newer notifications go above, and only the discussion next to them goes on', () => {
    for (const [below, groups] of [
      [['c6', 'a5', 'b4'], 'a9 a7, b8, c6, a5, b4'],
      [['b6', 'a5'], 'a9 a7, b8 b6, a5'],
    ] as const) {
      assert.equal(shown(first, [...first, ...below]), groups);
    }
    assert.equal(shown(first, ['a10', ...first]), 'a10 a9 a7, b8');
    assert.equal(shown(first, ['b10', ...first]), 'b10, a9 a7, b8');
  });

  test('keep their order without a deleted reply, which returns to its place, and when the list is loaded again', () => {
    const whole = [...first, 'c6'];
    assert.equal(shown(whole, ['b8', 'a7', 'c6']), 'a7, b8, c6');
    assert.equal(shown(whole, ['a9', 'a7', 'c6']), 'a9 a7, c6');
    for (const gone of whole) {
      const rest = whole.filter((id) => id !== gone);
      assert.equal(shown(whole, rest, whole), shown(whole), gone);
    }
    const ids = Array.from({ length: 6 * limits.pageSize }, (_, i) => `${'abacdabe'[(i * 5) % 8]}${900 - i}`);
    const pages = [1, 2, 3, 4, 5, 6].map((page) => ids.slice(0, page * limits.pageSize));
    assert.equal(shown(...pages), shown(ids));
  });
});
