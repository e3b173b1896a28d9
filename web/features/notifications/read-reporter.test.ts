import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { ApiError } from '#client/api-error.ts';
import { createReadReporter } from './read-reporter.ts';

let sent: Array<{ upTo: string; outcome: PromiseWithResolvers<void> }> = [];
let pauses: Array<() => void> = [];
/** The list, the newest first. The order of ids is another one. */
const order = ['9', '11', '10', '8', '7'];

beforeEach(() => {
  sent = [];
  pauses = [];
});

/** Reports a notification as read and waits until notifications seen together are sent. */
function reader({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { read } = createReadReporter({
    isNewer: (id, than) => order.indexOf(id) < order.indexOf(than),
    send(upTo) {
      const outcome = Promise.withResolvers<void>();
      sent.push({ upTo, outcome });
      return outcome.promise;
    },
    pause: () => new Promise((go) => void pauses.push(go)),
  });
  return async (...ids: string[]) => {
    ids.forEach(read);
    await gathered(mock);
  };
}

async function gathered({ timers }: TestContext['mock']): Promise<void> {
  timers.tick(50);
  await nextTurn();
}

const reported = () => sent.map(({ upTo }) => upTo);
const nextTurn = () => new Promise<void>((done) => setImmediate(done));

/** Ends the last call and runs what waited for it. */
async function endLast({ mock }: TestContext, error?: Error): Promise<void> {
  const { outcome } = sent.at(-1)!;
  if (error) outcome.reject(error);
  else outcome.resolve();
  await nextTurn();
  await gathered(mock);
}

async function endPause({ mock }: TestContext): Promise<void> {
  pauses.at(-1)!();
  await nextTurn();
  await gathered(mock);
}

test('reports only the newest of several notifications seen together', async (t) => {
  const read = reader(t);
  await read('8', '11', '10', '9');
  await endLast(t);
  await read('10', '11');
  assert.deepEqual(reported(), ['9']);
});

test('sends one request at a time', async (t) => {
  const read = reader(t);
  await read('8');
  await read('9');
  await read('11');
  assert.deepEqual(reported(), ['8']);
  await endLast(t);
  assert.deepEqual(reported(), ['8', '9']);
  await endLast(t);
  assert.equal(sent.length, 2);
});

test('reports again after a failure, together with newer ones', async (t) => {
  const read = reader(t);
  await read('8');
  await endLast(t, new TypeError('no network'));
  await read('9');
  assert.deepEqual([reported(), pauses.length], [['8'], 1]);
  await endPause(t);
  assert.deepEqual(reported(), ['8', '9']);
  await endLast(t, new ApiError('TOO_MANY_REQUESTS', '', 429));
  await endPause(t);
  assert.deepEqual(reported(), ['8', '9', '9']);
});

test('does not repeat a rejected report, and still reports older ones', async (t) => {
  const read = reader(t);
  await read('8');
  await endLast(t, new ApiError('NOT_FOUND', '', 404));
  assert.deepEqual([reported(), pauses.length], [['8'], 0]);
  await read('7');
  assert.deepEqual(reported(), ['8', '7']);
});
