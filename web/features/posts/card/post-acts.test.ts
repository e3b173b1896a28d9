import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePost } from '../../../../test/kit/web/sample-posts.ts';
import { type ActingOn, actsOn, beginsGroup } from './post-acts.ts';

/** The words of the menu, with a line between two groups. */
function menuOf(it: Partial<ActingOn>): string {
  const acts = actsOn({ post: samplePost('1'), me: null, mayEdit: true, isWallClosed: false, isClosed: false, ...it });
  return acts.map((act, i) => `${beginsGroup(acts, i) ? '| ' : ''}${[act.words].flat()[0]}`).join(' ');
}

const shared = 'Поделиться Скопировать ссылку Сохранить Следить за обсуждением';
const author = 'Следить за автором Не показывать автора';
const closed = (by: 'author' | 'keeper') => ({
  isClosed: true,
  post: samplePost('1', { actions: { is_closed: true, ...(by === 'author' && { closed_by: by }) } }),
});

test('a menu has three groups, and what destroys a post comes last', () => {
  assert.equal(menuOf({}), `${shared} | ${author} | Пожаловаться`);
  assert.equal(menuOf({ me: { id: '7' } }), `Изменить ${shared} | Запретить новые ответы… Удалить`);
  assert.equal(
    menuOf({ me: { id: '1', role: 'moderator' } }),
    `${shared} | ${author} | Запретить новые ответы… Медленный режим… Закрепить Пожаловаться Убрать со стены…`,
  );
});

test('the act that ends a discussion stands once in a menu, also for a keeper who is the author', () => {
  const times = (menu: string) => menu.match(/(Запретить|Разрешить) новые ответы/g);
  const keeper = { id: '7', role: 'owner' };
  assert.deepEqual(times(menuOf({ me: keeper })), ['Запретить новые ответы']);
  for (const by of ['author', 'keeper'] as const) {
    assert.deepEqual(times(menuOf({ me: keeper, ...closed(by) })), ['Разрешить новые ответы']);
    assert.deepEqual(times(menuOf({ me: { ...keeper, id: '1' }, ...closed(by) })), ['Разрешить новые ответы']);
  }
  assert.equal(times(menuOf({ me: { id: '7' }, ...closed('keeper') })), null);
});
