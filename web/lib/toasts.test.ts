import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { createToasts } from './toasts.ts';

const toastMs = 80;
const toastPauseMs = 40;

/** The shown toasts in order; null for none. */
function watched() {
  const toasts = createToasts({ toastMs, toastPauseMs });
  const seen: (string | null)[] = [];
  toasts.shown.subscribe(() => seen.push(toasts.shown.get()?.text ?? null));
  return { toasts, seen };
}

test('shows one toast at a time with a pause between', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'первое' });
  toasts.add({ text: 'второе' });
  assert.deepEqual(seen, ['первое']);
  await pause(toastMs + toastPauseMs / 2);
  assert.deepEqual(seen, ['первое', null]);
  await pause(toastPauseMs);
  assert.deepEqual(seen, ['первое', null, 'второе']);
  await pause(toastMs + toastPauseMs);
  assert.deepEqual(seen, ['первое', null, 'второе', null]);
});

test('keeps the remaining time while it is stopped', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'первое' });
  await pause(toastMs / 2);
  const release = toasts.hold();
  await pause(2 * toastMs);
  assert.deepEqual(seen, ['первое']);
  release();
  await pause(toastMs * 0.75);
  assert.deepEqual(seen, ['первое', null]);
});

test('waits for all holds, and so do later toasts', async () => {
  const { toasts, seen } = watched();
  const releases = [toasts.hold(), toasts.hold()];
  toasts.add({ text: 'первое' });
  releases[0]!();
  assert.deepEqual(seen, []);
  releases[1]!();
  assert.deepEqual(seen, ['первое']);
});

test('shows the next toast after a dismissal and the pause', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'первое' });
  toasts.dismiss();
  toasts.add({ text: 'второе' });
  assert.deepEqual(seen, ['первое', null]);
  await pause(toastPauseMs * 1.5);
  assert.deepEqual(seen, ['первое', null, 'второе']);
});

test('hands the shown toast on with its remaining time', async () => {
  const here = watched();
  here.toasts.add({ text: 'первое' });
  here.toasts.add({ text: 'второе' });
  // A timer may fire up to a millisecond early.
  await pause(toastMs / 2 + 2);
  const carried = here.toasts.pending();
  assert.equal(carried[1]?.leftMs, undefined);
  assert.ok(carried[0]!.leftMs! <= toastMs / 2, `${carried[0]!.leftMs} ms are left of ${toastMs}`);

  const there = watched();
  carried.forEach(there.toasts.add);
  assert.ok(there.toasts.pending()[0]!.leftMs! <= toastMs / 2);
});

test('a toast takes the place of earlier ones of its topic', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'скрыто 1', topic: 'решение' });
  toasts.add({ text: 'другое' });
  toasts.add({ text: 'скрыто 2', topic: 'решение' });
  toasts.add({ text: 'скрыто 3', topic: 'решение' });
  assert.deepEqual(seen, ['скрыто 1', null]);
  await pause(2 * (toastMs + toastPauseMs));
  assert.deepEqual(seen, ['скрыто 1', null, 'другое', null, 'скрыто 3']);
});
