import { limits } from '#contract/limits.ts';
import { ApiError } from '#client/api-error.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { whenIdle } from '../../lib/waits.ts';

const key = 'client-token';
const idleWithinMs = 500;

let computing: Promise<string> | undefined;

/** Identifies this browser. It is stored because a computed value changes with every update of the browser. */
export function clientToken(): Promise<string> {
  const stored = readStored('localStorage', key) ?? '';
  if (stored !== '' && stored.length <= limits.clientTokenLength) return Promise.resolve(stored);
  computing ??= compute().catch(() => {
    // The next call tries again.
    computing = undefined;
    throw new ApiError('INTERNAL', 'Не удалось идентифицировать user-agent');
  });
  return computing;
}

async function compute(): Promise<string> {
  await whenIdle(idleWithinMs);
  const { fingerprint } = await import('./fingerprint.ts');
  const token = await fingerprint();
  writeStored('localStorage', key, token);
  return token;
}
