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

  test('each stands for its whole time, then after a pause the next, in order', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'первое' });
    toasts.add({ text: 'второе', Button });
    toasts.add({ text: 'третье', Button });
    pass(toastMs - 1);
    assert.deepEqual(seen, ['первое']);
    pass(toastPauseMs);
    assert.deepEqual(seen, ['первое', null]);
    pass(toastMs);
    assert.deepEqual(seen, ['первое', null, 'второе']);
    toasts.add({ text: 'четвёртое' });
    pass(3 * toastMs + 2 * toastPauseMs);
    assert.deepEqual(seen, ['первое', null, 'второе', null, 'третье', null, 'четвёртое', null]);
  });

  test('one that is no longer true leaves, shown or waiting; the next follows after the pause', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'следите', topic: 'автор' });
    toasts.add({ text: 'сохранено', topic: 'запись' });
    toasts.add({ text: 'опубликовано' });
    pass(toastMs / 2);
    toasts.add({ text: 'не показывается', topic: 'автор' });
    toasts.add({ text: 'убрано', topic: 'запись' });
    assert.deepEqual(seen, ['следите', null]);
    pass(toastPauseMs);
    assert.deepEqual(seen, ['следите', null, 'опубликовано']);
    pass(3 * toastMs + 3 * toastPauseMs);
    assert.deepEqual(seen, ['следите', null, 'опубликовано', null, 'не показывается', null, 'убрано', null]);
  });

  test('keeps the remaining time while it is stopped, by the last of several holds, and hands it on', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'первое', Button });
    toasts.add({ text: 'второе' });
    pass(toastMs / 2);
    const releases = [toasts.hold(), toasts.hold()];
    pass(2 * toastMs);
    releases[0]!();
    pass(2 * toastMs);
    assert.deepEqual(seen, ['первое']);
    const next = watched();
    toasts.pending().forEach(next.toasts.add);
    releases[1]!();
    for (const { pending } of [toasts, next.toasts]) {
      assert.deepEqual(
        pending().map(({ leftMs }) => leftMs),
        [toastMs / 2, undefined],
      );
    }
    pass(toastMs * 0.75);
    for (const each of [seen, next.seen]) assert.deepEqual(each, ['первое', null]);
  });

  test('one that is closed makes room for the next after the pause', () => {
    const { toasts, seen } = watched();
    toasts.add({ text: 'первое' });
    toasts.close();
    toasts.add({ text: 'второе' });
    assert.deepEqual(seen, ['первое', null]);
    pass(toastPauseMs * 1.5);
    assert.deepEqual(seen, ['первое', null, 'второе']);
  });
});
