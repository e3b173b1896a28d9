import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { createToasts } from './toasts.ts';

const toastMs = 80;
const toastPauseMs = 40;

let now = 0;

function pass(ms: number): void {
  for (const end = now + ms; now < end; mock.timers.tick(1)) now += 1;
}

/** The shown toasts in order; null for none. */
function watched() {
  const toasts = createToasts({ toastMs, toastPauseMs });
  const seen: (string | null)[] = [];
  toasts.shown.subscribe(() => seen.push(toasts.shown.get()?.text ?? null));
  return { toasts, seen };
}

const Button = () => null;

describe('toasts', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  test('the newest toast replaces the one that is shown, after the pause, and those that wait', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'нет соединения' });
    assert.deepEqual(seen, ['нет соединения']);
    toasts.add({ text: 'второе' });
    toasts.add({ text: 'опубликовано' });
    assert.deepEqual(seen, ['нет соединения', null]);
    pass(toastPauseMs * 1.5);
    assert.deepEqual(seen, ['нет соединения', null, 'опубликовано']);
    pass(toastMs + toastPauseMs);
    assert.deepEqual(seen, ['нет соединения', null, 'опубликовано', null]);
  });

  test('a button to take something back stays for its time, and only the newest other toast waits for it', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'скопировано' });
    toasts.add({ text: 'удалено', Button });
    toasts.add({ text: 'не удалось' });
    toasts.add({ text: 'опубликовано' });
    pass(toastPauseMs * 1.5);
    assert.deepEqual(seen, ['скопировано', null, 'удалено']);
    pass(toastMs + 2 * toastPauseMs);
    assert.deepEqual(seen, ['скопировано', null, 'удалено', null, 'опубликовано']);
  });

  test('a held toast is replaced when it is released', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'первое' });
    const release = toasts.hold();
    toasts.add({ text: 'второе' });
    assert.deepEqual(seen, ['первое']);
    release();
    assert.deepEqual(seen, ['первое', null]);
    pass(toastPauseMs * 1.5);
    assert.deepEqual(seen, ['первое', null, 'второе']);
  });

  test('keeps the remaining time while it is stopped', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'первое' });
    pass(toastMs / 2);
    const release = toasts.hold();
    pass(2 * toastMs);
    assert.deepEqual(seen, ['первое']);
    release();
    pass(toastMs * 0.75);
    assert.deepEqual(seen, ['первое', null]);
  });

  test('waits for all holds, and so do later toasts', () => {
    const { toasts, seen } = watched();
    const releases = [toasts.hold(), toasts.hold()];
    toasts.add({ text: 'первое' });
    releases[0]!();
    assert.deepEqual(seen, []);
    releases[1]!();
    assert.deepEqual(seen, ['первое']);
  });

  test('shows the next toast after the first is closed and the pause', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'первое' });
    toasts.close();
    toasts.add({ text: 'второе' });
    assert.deepEqual(seen, ['первое', null]);
    pass(toastPauseMs * 1.5);
    assert.deepEqual(seen, ['первое', null, 'второе']);
  });

  test('hands the shown toast on with its remaining time', () => {
    const here = watched();
    here.toasts.add({ text: 'первое', Button });
    here.toasts.add({ text: 'второе' });
    pass(toastMs / 2);
    const carried = here.toasts.pending();
    assert.equal(carried[1]?.leftMs, undefined);
    assert.equal(carried[0]!.leftMs, toastMs / 2);

    const there = watched();
    carried.forEach(there.toasts.add);
    assert.equal(there.toasts.pending()[0]!.leftMs, toastMs / 2);
  });

  test('a button is replaced by the next one, and by a toast of its topic', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'скрыто 1', topic: 'решение', Button });
    toasts.add({ text: 'скрыто 2', topic: 'решение', Button });
    assert.deepEqual(seen, ['скрыто 1', null]);
    pass(toastPauseMs * 1.5);
    toasts.add({ text: 'отменено', topic: 'решение' });
    pass(toastPauseMs * 1.5);
    assert.deepEqual(seen, ['скрыто 1', null, 'скрыто 2', null, 'отменено']);
  });
});
