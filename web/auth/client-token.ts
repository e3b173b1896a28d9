import { limits } from '#contract/limits.ts';
import { unansweredError } from '../lib/api-error.ts';
import { keep, kept } from '../lib/kept.ts';
import { whenIdle } from '../lib/when-idle.ts';

const key = 'client-token';
const idleWithinMs = 500;

let computing: Promise<string> | undefined;

/** What this browser is recognised by. Kept, as what it is computed from changes with every update of the browser. */
export function clientToken(): Promise<string> {
  const known = kept('localStorage', key) ?? '';
  if (known !== '' && known.length <= limits.clientTokenLength) return Promise.resolve(known);
  computing ??= compute().catch(() => {
    // The next one who needs it tries again.
    computing = undefined;
    throw unansweredError('UNIDENTIFIED');
  });
  return computing;
}

async function compute(): Promise<string> {
  await whenIdle(idleWithinMs);
  const { load } = await import('@fingerprintjs/fingerprintjs');
  const agent = await load({ monitoring: false });
  const { visitorId } = await agent.get();
  keep('localStorage', key, visitorId);
  return visitorId;
}
