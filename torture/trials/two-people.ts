import { isDeepStrictEqual } from 'node:util';
import { count } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { engines } from '../../test/engines.ts';
import { callsByStrangers, changeWhatIsForeign, listWhatIsForeign, shownToStrangers } from '../../test/two-people.ts';
import { openDistantWall } from '../kit/distant-wall.ts';
import type { Trial } from '../trial.ts';

/** Three processes are asked in turn: each call comes to each of them. */
const pairs = 20;

/** One person's calls on all that is another's, over HTTP. */
export const twoPeople: Trial = {
  name: 'two-people',
  shortFormIn: 'server/sessions/ownership.test.ts',
  async run() {
    const figures: Figure[] = [];
    for (const engine of engines) {
      const wall = await openDistantWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      const faults: string[] = [];
      let calls = 0;
      try {
        for (let i = 0; i < pairs; i += 1) {
          const tried = await changeWhatIsForeign(wall);
          calls += tried.calls.length;
          faults.push(...tried.faults);
          const shown = await listWhatIsForeign(wall);
          if (!isDeepStrictEqual(shown, shownToStrangers)) faults.push(`shown to a stranger: ${JSON.stringify(shown)}`);
        }
      } finally {
        await wall.close();
      }
      for (const fault of faults) console.error(fault);
      figures.push({
        what: `${callsByStrangers.length} calls and 6 lists of strangers, ${engine}`,
        measured: `${faults.length} faults`,
        target: `0 of ${pairs} strangers`,
        ok: faults.length === 0 && calls === pairs * callsByStrangers.length,
        detail: `${count(calls)} calls to ${wall.servers.length} process${wall.servers.length > 1 ? 'es' : ''}; no row of the owner changed`,
      });
    }
    return figures;
  },
};
