import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGeneratedUsername, usernameProblem } from '#contract/username.ts';
import { newUsername } from './rules.ts';

test('a name given by the wall may stand, and is known for one that its owner has not chosen', () => {
  for (let turn = 0; turn < 100; turn += 1) {
    const name = newUsername();
    assert.equal(usernameProblem(name), null, name);
    assert.equal(isGeneratedUsername(name), true, name);
  }
});

test('a chosen name is not taken for a given one', () => {
  for (const name of ['user_1', 'User_ab12cd34', 'user_ab12cd345', 'user_AB12CD34', 'my_user_ab12cd34']) {
    assert.equal(isGeneratedUsername(name), false, name);
  }
});
