import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skeletonOf } from './skeleton.ts';

/** Signs beside letters, letters like an apostrophe, and marks of other alphabets. */
const hardlySeen = '`\u02bc\u02bf\u02c8\u02cc\u02d0\u02d1\u02d7\u0640\u0674\ua78c\u05bf\u0e4d';

const alike = `Роман|Pоман|роман|РОМАН|POMAH
Мария|Мaрия|МАРИЯ|Mapия
ВЕРА|Вера|BEPA
Анна П.|анна п|Анна  П|Анна-П|Анна_П|«Анна» П…|АннаП
Артём|Артем|АРТЁМ|Арте\u0308м|А́ртем
Сергей|Серге\u0438\u0306|Серге\u2060й
Ilya|llya|iIya|1lya
Зоя|3оя|ЗОЯ
Оля|0ля
Борис|6орис
Ｓøren|søren
anna_petrova|Anna Petrova
❤️|❤
山田|⼭田`.split('\n');

const different = `Роман|Роза|Poman
Анна|Инна|Анна 2|Анна🌸|🌸|Anna
Ира|Нина
🦊|🐺|👨‍👩‍👧‍👦
...|!!!
राम|रीमा
محمد|محمود`.split('\n');

test('names that look alike have the same skeleton, whatever their letters, case, spaces, punctuation and marks', () => {
  for (const line of alike) {
    const [first, ...others] = line.split('|') as [string, ...string[]];
    for (const other of others) assert.equal(skeletonOf(other), skeletonOf(first), `${first} and ${other}`);
  }
  for (const sign of hardlySeen)
    for (const [first, other] of [
      ['Галина', `Га${sign}лина`],
      ['Galina', `Ga${sign}lina`],
    ] as const)
      assert.equal(skeletonOf(other), skeletonOf(first), sign.codePointAt(0)!.toString(16));
});

test('names that look different have different skeletons, and no name has an empty one', () => {
  for (const line of different) {
    const skeletons = line.split('|').map(skeletonOf);
    assert.equal(new Set(skeletons).size, skeletons.length, line);
    assert.ok(skeletons.every((skeleton) => skeleton !== ''));
  }
});
