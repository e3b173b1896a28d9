import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLatestWins } from './latest-wins.ts';
import { onDemand } from './on-demand.ts';

/** Wants letters; each request waits for `respond`. */
function letters(answer = (want: string) => want) {
  const sent: string[] = [];
  const done: string[] = [];
  const failed: string[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const changes = createLatestWins<string, string>({
    isDone: (want, state) => want === state,
    async send(want, key) {
      sent.push(key + want);
      const response = Promise.withResolvers<void>();
      waiting.push(response);
      await response.promise;
      return answer(want);
    },
    onDone: (state, { key, before }) => done.push(`${key}${before}-${state}`),
    onFailed: (state, { key, want, error }) => failed.push(`${key}${want} ${state} ${(error as Error).message}`),
  });
  const respond = async (error?: Error) => {
    const { resolve, reject } = waiting.shift()!;
    if (error) reject(error);
    else resolve();
    await new Promise(setImmediate);
  };
  return { changes, sent, done, failed, respond };
}

test('sends one change at a time, of quick ones the first and the last', async () => {
  const { changes, sent, done, respond } = letters();
  for (const want of ['b', 'c', 'd']) changes.change('1', want, 'a');
  assert.deepEqual([sent, changes.wanted('1'), changes.isBusy('1')], [['1b'], 'd', true]);
  await respond();
  assert.deepEqual([sent, done], [['1b', '1d'], []]);
  await respond();
  assert.deepEqual([sent, done, changes.isBusy('1')], [['1b', '1d'], ['1a-d'], false]);
});

test('sends nothing for what the server has, nor again what it has got', async () => {
  const { changes, sent, done, respond } = letters();
  changes.change('1', 'a', 'a');
  changes.change('1', 'b', 'a');
  changes.change('1', 'a', 'b');
  changes.change('1', 'b', 'a');
  await respond();
  assert.deepEqual([sent, done], [['1b'], ['1a-a', '1a-b']]);
});

test('changes of different keys do not wait for each other, and all of them end', async () => {
  const { changes, sent, respond } = letters();
  changes.change('1', 'b', 'a');
  changes.change('2', 'c', 'a');
  let isIdle = false;
  void changes.ended().then(() => (isIdle = true));
  assert.deepEqual(sent, ['1b', '2c']);
  await respond();
  assert.equal(isIdle, false);
  await respond();
  assert.equal(isIdle, true);
});

test('after a failure sends nothing more until the next change', async () => {
  const { changes, sent, done, failed, respond } = letters();
  changes.change('1', 'b', 'a');
  changes.change('1', 'c', 'a');
  await respond();
  changes.change('1', 'd', 'a');
  await respond(new Error('offline'));
  assert.deepEqual([sent, done, failed, changes.isBusy('1')], [['1b', '1c'], [], ['1c b offline'], false]);
  changes.change('1', 'd', 'b');
  await respond();
  assert.deepEqual([sent.at(-1), done], ['1d', ['1b-d']]);
});

test('stops when the server has another state than was wanted', async () => {
  const { changes, sent, done, respond } = letters(() => 'x');
  changes.change('1', 'b', 'a');
  await respond();
  assert.deepEqual([sent, done], [['1b'], ['1a-x']]);
});

test('a part is loaded once for all callers and kept, after a failure again', async () => {
  let tries = 0;
  const source = onDemand(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no network');
    return tries;
  });
  await assert.rejects(source.load());
  assert.equal(source.here(), undefined);
  assert.deepEqual(await Promise.all([source.load(), source.load()]), [2, 2]);
  assert.deepEqual([await source.load(), source.here()], [2, 2]);
});
