import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { setTokenSource } from '../../lib/api.ts';
import { createSession } from '../session/session.ts';
import { createMutes } from './mutes.ts';

const anna = { id: '1' };
const oleg = { id: '7' };

describe('hidden words', () => {
  const storage = new Map<string, string>();
  let answers: object[] = [];

  before(async () => {
    const localStorage = {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    };
    Object.assign(globalThis, {
      window: { localStorage },
      document: { cookie: 'signed-in=today', readyState: 'complete', querySelectorAll: () => [] },
      addEventListener: () => {},
    });
    mock.method(globalThis, 'fetch', async () => Response.json(answers.shift()));
    setTokenSource({ current: async () => 'token', replace: async () => null, onBlocked: assert.fail });
    await import('./hidden-words.ts');
  });
  after(() => {
    mock.restoreAll();
    for (const name of ['window', 'document', 'addEventListener', 'hiddenWord'])
      Reflect.deleteProperty(globalThis, name);
    setTokenSource({ current: async () => null, replace: async () => null, onBlocked: assert.fail });
  });

  const why = (text: string, owner = oleg) => hiddenWord!({ owner, text })?.join('') ?? null;

  test('are found in all forms, as the search finds them, but not inside other words', () => {
    storage.set('hidden-words', 'today 1 лифты Ёлка');
    for (const text of ['Лифт сломан', 'в «лифте»', 'ЛИФТОВ нет', '#лифт', 'лифт/эскалатор'])
      assert.equal(why(text), 'скрытое слово «лифты»', text);
    assert.equal(why('Купили елку'), 'скрытое слово «Ёлка»');
    for (const text of ['Лифтинг', 'эскалатор', '']) assert.equal(why(text), null, text);
  });

  test('a tag hides the tag and not the word', () => {
    storage.set('hidden-words', 'today 1 #лифт');
    assert.equal(why('Снова #Лифт'), 'скрытое слово «#лифт»');
    for (const text of ['лифт', '#лифты', 'a#лифт']) assert.equal(why(text), null, text);
  });

  test('hide no post of the person, and nothing in another sign-in', () => {
    storage.set('hidden-words', 'today 1 лифт');
    assert.equal(why('лифт', anna), null);
    storage.set('hidden-words', 'tomorrow 1 лифт');
    assert.equal(why('лифт'), null);
    storage.delete('hidden-words');
    assert.equal(why('лифт'), null);
  });

  test('are stored as the server sends them, and apply at once', async () => {
    const user = { id: '1', username: 'anna', display_name: null, face: null };
    const mutes = createMutes(createSession({ user, flag: 'today' } as Parameters<typeof createSession>[0]));
    const { refreshWords } = await mutes.sync.load();
    const hidden = (text: string) => mutes.state.get().whyHidden({ owner: oleg, text })?.join('');
    answers = [
      {
        words: [
          { word: 'лифт', kind: 'hide' },
          { word: 'дождь', kind: 'follow' },
          { word: '#кот', kind: 'hide' },
        ],
      },
      { words: [] },
    ];
    await refreshWords();
    assert.equal(storage.get('hidden-words'), 'today 1 лифт #кот');
    assert.deepEqual([hidden('Лифты'), hidden('Дождь')], ['скрытое слово «лифт»', undefined]);
    await refreshWords();
    assert.equal(storage.has('hidden-words'), false);
    assert.equal(hidden('Лифты'), undefined);
  });
});
