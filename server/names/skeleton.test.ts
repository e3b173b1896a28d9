import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skeletonOf } from './skeleton.ts';

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
});

test('names that look different have different skeletons, and no name has an empty one', () => {
  for (const line of different) {
    const skeletons = line.split('|').map(skeletonOf);
    assert.equal(new Set(skeletons).size, skeletons.length, line);
    assert.ok(skeletons.every((skeleton) => skeleton !== ''));
  }
});
