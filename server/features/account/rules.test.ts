import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usernameProblem } from '#contract/username-problem.ts';
import { isGeneratedUsername } from '#contract/username.ts';
import { newUsername } from '../sign-in/rules.ts';

test('a generated name is valid and recognized as generated', () => {
  for (let turn = 0; turn < 100; turn += 1) {
    const name = newUsername();
    assert.equal(usernameProblem(name), null, name);
    assert.equal(isGeneratedUsername(name), true, name);
  }
});

test('a chosen name is not recognized as generated', () => {
  for (const name of ['user_1', 'User_ab12cd34', 'user_ab12cd345', 'user_AB12CD34', 'my_user_ab12cd34']) {
    assert.equal(isGeneratedUsername(name), false, name);
  }
});
