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

const Button = () => null;

test('the newest toast replaces the one that is shown, after the pause, and those that wait', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'нет соединения' });
  assert.deepEqual(seen, ['нет соединения']);
  toasts.add({ text: 'второе' });
  toasts.add({ text: 'опубликовано' });
  assert.deepEqual(seen, ['нет соединения', null]);
  await pause(toastPauseMs * 1.5);
  assert.deepEqual(seen, ['нет соединения', null, 'опубликовано']);
  await pause(toastMs + toastPauseMs);
  assert.deepEqual(seen, ['нет соединения', null, 'опубликовано', null]);
});

test('a button to take something back stays for its time, and only the newest other toast waits for it', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'скопировано' });
  toasts.add({ text: 'удалено', Button });
  toasts.add({ text: 'не удалось' });
  toasts.add({ text: 'опубликовано' });
  await pause(toastPauseMs * 1.5);
  assert.deepEqual(seen, ['скопировано', null, 'удалено']);
  await pause(toastMs + 2 * toastPauseMs);
  assert.deepEqual(seen, ['скопировано', null, 'удалено', null, 'опубликовано']);
});

test('a held toast is replaced when it is released', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'первое' });
  const release = toasts.hold();
  toasts.add({ text: 'второе' });
  assert.deepEqual(seen, ['первое']);
  release();
  assert.deepEqual(seen, ['первое', null]);
  await pause(toastPauseMs * 1.5);
  assert.deepEqual(seen, ['первое', null, 'второе']);
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
  here.toasts.add({ text: 'первое', Button });
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

test('a button is replaced by the next one, and by a toast of its topic', async () => {
  const { toasts, seen } = watched();
  toasts.add({ text: 'скрыто 1', topic: 'решение', Button });
  toasts.add({ text: 'скрыто 2', topic: 'решение', Button });
  assert.deepEqual(seen, ['скрыто 1', null]);
  await pause(toastPauseMs * 1.5);
  toasts.add({ text: 'отменено', topic: 'решение' });
  await pause(toastPauseMs * 1.5);
  assert.deepEqual(seen, ['скрыто 1', null, 'скрыто 2', null, 'отменено']);
});
