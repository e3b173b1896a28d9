import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { noteResponse, noteFailure, noting, serverIsSilent } from './server-silence.ts';

const respond = (status: number, type: string) =>
  noting(Promise.resolve(new Response('', { status, headers: { 'content-type': type } })));
const broken = (reason: Error) => noting(Promise.reject(reason)).catch(() => {});
const setOnline = (value: boolean) => Object.defineProperty(navigator, 'onLine', { value, configurable: true });

beforeEach(() => {
  setOnline(true);
  noteResponse();
});

test('the server is silent when the event stream and a request have failed, until it responds', async () => {
  noteFailure('stream');
  noteFailure('stream');
  assert.equal(serverIsSilent.get(), false);
  await broken(new TypeError('Failed to fetch'));
  assert.equal(serverIsSilent.get(), true);
  await respond(404, 'application/json; charset=utf-8');
  assert.equal(serverIsSilent.get(), false);
});

test('a request without a response in time counts, one that was given up does not', async () => {
  noteFailure('stream');
  await broken(new DOMException('', 'AbortError'));
  assert.equal(serverIsSilent.get(), false);
  await broken(new DOMException('', 'TimeoutError'));
  assert.equal(serverIsSilent.get(), true);
});

test('a proxy does not respond for the server, and an error of the server is a response', async () => {
  noteFailure('stream');
  await respond(502, 'text/html');
  assert.equal(serverIsSilent.get(), true);
  await respond(503, 'application/json');
  assert.equal(serverIsSilent.get(), false);
});

test('without a network nothing is said about the server', async () => {
  setOnline(false);
  noteFailure('stream');
  await broken(new TypeError('Failed to fetch'));
  assert.equal(serverIsSilent.get(), false);
});
