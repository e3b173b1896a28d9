import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acts, moderationReasons } from './moderation-acts.ts';
import { normalizePostText } from './text.ts';

test('ready-made reasons are accepted as they are, differ, and fit on a button', () => {
  for (const reason of moderationReasons) {
    assert.deepEqual(normalizePostText(reason), { ok: true, text: reason });
    assert.ok(reason.length <= 30, reason);
  }
  assert.equal(new Set(moderationReasons).size, moderationReasons.length);
});

test('what undoes an act is an act on the same kind of target', () => {
  for (const [name, act] of Object.entries(acts)) {
    if (act?.inverse !== undefined) assert.equal(acts[act.inverse]?.target, act.target, name);
  }
});
