import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeFace } from '#contract/face.ts';
import { normalizeWallMark } from '#contract/wall-setting-rules.ts';
import { faces, wallMarks } from './emoji-choices.ts';

for (const [of, choices] of Object.entries({ faces, wallMarks })) {
  test(`each of the 24 ${of} that are offered is accepted as it is, and has a name of its own`, () => {
    for (const [emoji] of choices) {
      const same = { ok: true, text: emoji };
      assert.deepEqual([normalizeFace(emoji), normalizeWallMark(emoji)], [same, same], emoji);
    }
    assert.deepEqual(
      [0, 1].map((at) => new Set(choices.map((each) => each[at])).size),
      [24, 24],
    );
  });
}
