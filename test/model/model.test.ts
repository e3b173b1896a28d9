import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { recount } from '../../server/commands/verify-data/recount.ts';
import { engines } from '../kit/engines.ts';
import found from './found.json' with { type: 'json' };
import { openModelWall } from './model-wall.ts';
import { play, sequences } from './play.ts';

const total = Number(process.env['SEQUENCES'] ?? 600);
// A sequence takes several times as long on PostgreSQL. The timeout only ends a hanging test.
const shares = { sqlite: 0.9, postgres: 0.1 };
const timeout = 300_000 + total * 600;

describe('whatever three people and a moderator do', { concurrency: 2, timeout }, () => {
  for (const engine of engines) {
    test(`the wall on ${engine} shows what the specification says`, { timeout }, async () => {
      await using wall = await openModelWall(engine);
      await fc.assert(
        fc.asyncProperty(sequences, (acts) => play(wall, acts)),
        {
          numRuns: Math.round(total * shares[engine]),
          // Sequences that have found a fault before are played first.
          examples: found.map(({ acts }) => [acts]),
          endOnFailure: false,
          includeErrorInReport: true,
        },
      );
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });
  }
});
