import { isDeepStrictEqual } from 'node:util';
import { count } from '../../measurements/numbers.ts';
import { none } from '../../measurements/report.ts';
import { callsByStrangers, changeWhatIsForeign, listWhatIsForeign, shownToStrangers } from '../../kit/two-people.ts';
import { openWallOverHttp } from '../kit/wall-over-http.ts';
import { type Fault, onEachEngine } from '../fault.ts';

/** Requests go to the processes in turn, so that every call reaches each of them. */
const pairs = 20;

/** One person's calls on everything that belongs to another, over HTTP. */
export const twoPeople: Fault = {
  name: 'two-people',
  shortFormIn: 'server/features/sessions/ownership.test.ts',
  run: () =>
    onEachEngine(async (engine) => {
      await using wall = await openWallOverHttp(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      const faults: string[] = [];
      let calls = 0;
      for (let i = 0; i < pairs; i += 1) {
        const tried = await changeWhatIsForeign(wall);
        calls += tried.calls.length;
        faults.push(...tried.faults);
        const shown = await listWhatIsForeign(wall);
        if (!isDeepStrictEqual(shown, shownToStrangers)) faults.push(`shown to a stranger: ${JSON.stringify(shown)}`);
      }
      for (const fault of faults) console.error(fault);
      const what = `${callsByStrangers.length} calls and 7 lists by a stranger, ${engine}`;
      const detail = `${count(calls)} calls to ${wall.servers.length} process${wall.servers.length > 1 ? 'es' : ''}; no row of the owner changed`;
      const enough = calls === pairs * callsByStrangers.length;
      return [none(what, faults.length, 'faults', detail, { target: `0 of ${pairs} strangers`, enough })];
    }),
};
