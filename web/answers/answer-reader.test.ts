import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ApiError } from '../lib/api-error.ts';
import { createAnswerReader } from './answer-reader.ts';

let sent: Array<{ upTo: string; answer: PromiseWithResolvers<void> }> = [];
let pauses: Array<() => void> = [];

beforeEach(() => {
  sent = [];
  pauses = [];
});

function reader() {
  return createAnswerReader({
    send(upTo) {
      const answer = Promise.withResolvers<void>();
      sent.push({ upTo, answer });
      return answer.promise;
    },
    pause: () => new Promise((go) => void pauses.push(go)),
  });
}

const toldOf = () => sent.map(({ upTo }) => upTo);
const settled = () => new Promise<void>((done) => setImmediate(done));

async function settleLast(error?: Error): Promise<void> {
  const { answer } = sent.at(-1)!;
  if (error) answer.reject(error);
  else answer.resolve();
  await settled();
}

test('what is older than the newest seen is read with it', async () => {
  const { read } = reader();
  read('10');
  await settleLast();
  read('9');
  read('10');
  await settled();
  assert.deepEqual(toldOf(), ['10']);
});

test('while one call is under way the next waits, and only the newest of what was seen is told', async () => {
  const { read } = reader();
  for (const id of ['8', '9', '11', '10']) read(id);
  assert.deepEqual(toldOf(), ['8']);
  await settleLast();
  assert.deepEqual(toldOf(), ['8', '11']);
  await settleLast();
  assert.equal(sent.length, 2);
});

test('after a failure it is told once more, by then perhaps with more', async () => {
  const { read } = reader();
  read('8');
  await settleLast(new TypeError('no network'));
  read('9');
  await settled();
  assert.deepEqual([toldOf(), pauses.length], [['8'], 1]);
  pauses[0]!();
  await settled();
  assert.deepEqual(toldOf(), ['8', '9']);
  await settleLast(new ApiError('TOO_MANY_REQUESTS', '', 429));
  pauses[1]!();
  await settled();
  assert.deepEqual(toldOf(), ['8', '9', '9']);
});

test('what is refused is not told again', async () => {
  const { read } = reader();
  read('8');
  await settleLast(new ApiError('NOT_FOUND', '', 404));
  assert.deepEqual([toldOf(), pauses.length], [['8'], 0]);
  read('9');
  assert.deepEqual(toldOf(), ['8', '9']);
});
