import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { splitLinks } from '#contract/links.ts';
import { quoteLines } from '../card/selected-quote.ts';
import { openDraft } from './drafts.ts';
import { forgetDrafts } from './forget-drafts.ts';
import { judgeText, mentionAt, sharedText, withMention } from './typed-text.ts';

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
  const draftOf = (user: string, place = 'new-post') => openDraft(user, place);

  before(() => Object.assign(globalThis, { window: { localStorage } }));
  after(() => Reflect.deleteProperty(globalThis, 'window'));
  beforeEach(() => storage.clear());

  test('keep the key of a text across reloads and other texts; another text, or one without its key, gets a new one', () => {
    const draft = draftOf('7');
    draft.change('текст');
    const key = draft.keyFor('текст');
    assert.equal(draft.keyFor('текст'), key);
    draft.change('текст и ещё');
    assert.equal(draftOf('7').keyFor('текст'), key);
    assert.equal(draftOf('7').text(), 'текст и ещё');
    assert.notEqual(draft.keyFor('другой'), key);
    const again = draft.keyFor('текст');
    draft.forgetKey();
    assert.notEqual(draft.keyFor('текст'), again);
    assert.equal(draft.text(), 'текст и ещё');
  });

  test('leave a text that was written while an earlier one was being published', () => {
    const draft = draftOf('7');
    draft.change('текст');
    draft.keyFor('текст');
    draftOf('7').change('другой');
    draft.forget();
    assert.deepEqual([draftOf('7').text(), draft.text()], ['другой', null]);
  });

  test('add what comes from elsewhere below what was written there by this person, once', () => {
    draftOf('', 'reply:1').change('до входа');
    draftOf('7', 'reply:1').change('раньше');
    for (let times = 0; times < 2; times += 1) {
      assert.equal(openDraft('7', 'reply:1', '> цитата\n').text(), 'раньше\n\nдо входа\n\n> цитата\n');
    }
    assert.deepEqual([draftOf('', 'reply:1').text(), draftOf('7', 'reply:2').text()], [null, null]);
    assert.equal(openDraft('8', 'reply:1', '> цитата\n').text(), '> цитата\n');
  });

  test('go when they are published, and on sign-out all of them and nothing else', () => {
    storage.set('theme', 'light');
    const draft = draftOf('7');
    draft.change('текст');
    draft.forget();
    assert.deepEqual([...storage.keys()], ['theme']);
    draftOf('7').change('раз');
    draftOf('8', 'edit:3').change('два');
    forgetDrafts();
    assert.deepEqual([...storage.keys()], ['theme']);
  });
});

test('characters are counted as people see them and as they are stored; a text is rejected with the reason', () => {
  for (const text of ['😀'.repeat(500), `  ${'ж'.repeat(500)}\r\n`, 'и\u0306'.repeat(500)]) {
    assert.equal(judgeText(text).remaining, 0);
  }
  assert.deepEqual(judgeText(' \n '), { text: null, problem: null, remaining: null });
  assert.equal(judgeText('\u200d\u2800').problem, 'Введите текст записи.');
  assert.equal(judgeText('ж'.repeat(501)).problem, 'Текст длиннее 500 символов. Сократите его.');
  assert.match(judgeText('a\ud800').problem ?? '', /недопустимые символы/);
});

test('what is shared is title, text and address on a line each, without what another one repeats', () => {
  const url = 'https://a.example/';
  for (const [query, text] of [
    [{ title: 'Афиша', text: ' Кино во дворе\n', url }, `Афиша\nКино во дворе\n${url}`],
    [{ url }, url],
    [{ other: 'x', text: ' \0 ' }, ''],
    [{ title: 'Афиша', text: `Афиша: кино ${url}`, url }, `Афиша: кино ${url}`],
    [{ title: 'Афиша', text: 'Афиша', url: 'Афиша' }, 'Афиша'],
  ] as const) {
    assert.equal(sharedText(new URLSearchParams(query)), text);
  }
});

test('every line of a selected text is quoted, without empty ones; a long selection is cut after a word', () => {
  assert.equal(quoteLines('  раз\n\n два три \n'), '> раз\n> два три');
  const quote = quoteLines('слово '.repeat(90));
  assert.ok(quote.length <= 204, `${quote.length}`);
  assert.match(quote, /^> (слово )+слово…$/);
  assert.ok([...quoteLines('ж'.repeat(500))].length <= 204);
});

describe('a mention', () => {
  test('is typed after an @ that begins a word, up to the caret', () => {
    for (const [marked, typed] of [
      ['@|', ''],
      ['@an|', 'an'],
      ['Привет, @ан|', 'ан'],
      ['(@Аня_2|)', 'Аня_2'],
      ['строка\n@a|\nещё', 'a'],
      ['> «@ё|', 'ё'],
      ['@anna @b|', 'b'],
      [`@${'ж'.repeat(32)}|`, 'ж'.repeat(32)],
      // No mention is typed in an address, in the middle of a word, or after the end of a name.
      ...['|', 'an|', 'me@an|', '@an |', '@a|n', '|@an', '@@a|', '@|@a', `@${'ж'.repeat(33)}|`, '@a-|'].map(
        (other) => [other, undefined] as const,
      ),
    ] as const) {
      const [left = '', right = ''] = marked.split('|');
      assert.equal(mentionAt(left + right, left.length)?.typed, typed, marked);
    }
  });

  test('may follow what a link to a person may follow', () => {
    for (const left of ' \n.,:;!?()[]{}<>«»„“”"\'`*^|#@&/\\=%+~$-_№—aж5é') {
      const isLink = splitLinks(`${left}@anna_k`).some(({ href }) => href === '/users/anna_k');
      assert.equal(mentionAt(`${left}@anna_k`, 8) !== null, isLink, left);
    }
  });

  test('is replaced by the name, with one space after it', () => {
    for (const [text, caret, next, place] of [
      ['Эй, @ан', 7, 'Эй, @anna_k ', 12],
      ['Эй, @ан и ты', 7, 'Эй, @anna_k и ты', 12],
      ['@\nты', 1, '@anna_k \nты', 8],
      ['@a, ты', 2, '@anna_k , ты', 8],
    ] as const) {
      assert.deepEqual(withMention(text, mentionAt(text, caret)!, 'anna_k'), { text: next, caret: place });
    }
  });
});
