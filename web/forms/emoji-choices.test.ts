import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeFace } from '#contract/face.ts';
import { normalizeWallMark } from '#contract/wall-setting-rules.ts';
import { emojiChoices } from './emoji-choices.ts';

test('each of the 24 emoji that are offered is accepted as it is, as a face and as a mark, and has a name of its own', () => {
  for (const [emoji] of emojiChoices) {
    const same = { ok: true, text: emoji };
    assert.deepEqual([normalizeFace(emoji), normalizeWallMark(emoji)], [same, same], emoji);
  }
  assert.deepEqual(
    [0, 1].map((at) => new Set(emojiChoices.map((each) => each[at])).size),
    [24, 24],
  );
});
