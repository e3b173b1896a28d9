import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openDraft } from './drafts.ts';
import { forgetDrafts } from './forget-drafts.ts';

describe('drafts', () => {
  const storage = new Map<string, string>();
  const localStorage = new Proxy(
    {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    },
    {
      ownKeys: () => [...storage.keys()],
      getOwnPropertyDescriptor: (_, key) => ({ value: storage.get(String(key)), enumerable: true, configurable: true }),
    },
  );

  before(() => Object.assign(globalThis, { window: { localStorage } }));
  after(() => Reflect.deleteProperty(globalThis, 'window'));
  beforeEach(() => storage.clear());

  test('returns a draft at its place to its author only', () => {
    openDraft('7', 'new-post').change('начало');
    assert.equal(openDraft('7', 'new-post').text(), 'начало');
    assert.equal(openDraft('7', 'reply:1').text(), null);
    assert.equal(openDraft('8', 'new-post').text(), null);
  });

  test('keeps the key of a text across reloads and other texts', () => {
    const draft = openDraft('7', 'new-post');
    draft.change('текст');
    const key = draft.keyFor('текст');
    assert.equal(draft.keyFor('текст'), key);
    draft.change('текст и ещё');
    assert.equal(openDraft('7', 'new-post').keyFor('текст'), key);
    assert.equal(openDraft('7', 'new-post').text(), 'текст и ещё');
  });

  test('gives another text, or a text without its key, a new key', () => {
    const draft = openDraft('7', 'new-post');
    draft.change('текст');
    const key = draft.keyFor('текст');
    assert.notEqual(draft.keyFor('другой'), key);
    const again = draft.keyFor('текст');
    draft.forgetKey();
    assert.notEqual(draft.keyFor('текст'), again);
    assert.equal(draft.text(), 'текст');
  });

  test('leaves a text that was written while an earlier one was being published', () => {
    const draft = openDraft('7', 'new-post');
    draft.change('текст');
    draft.keyFor('текст');
    openDraft('7', 'new-post').change('другой');
    draft.forget();
    assert.equal(openDraft('7', 'new-post').text(), 'другой');
    assert.equal(draft.text(), null);
  });

  test('removes a published draft, and on sign-out all drafts and nothing else', () => {
    storage.set('theme', 'light');
    const draft = openDraft('7', 'new-post');
    draft.change('текст');
    draft.forget();
    assert.deepEqual([...storage.keys()], ['theme']);
    openDraft('7', 'new-post').change('раз');
    openDraft('8', 'edit:3').change('два');
    forgetDrafts();
    assert.deepEqual([...storage.keys()], ['theme']);
  });
});
