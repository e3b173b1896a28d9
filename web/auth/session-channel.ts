import type { CurrentUser } from '#contract/account.ts';
import type { AccessToken } from './access-tokens.ts';

interface Shared {
  /** The sign-in it belongs to. */
  mark: string;
  /** A fresh one, so that one renewal does for all tabs. */
  accessToken?: AccessToken;
  /** As they have just become. */
  user?: CurrentUser;
}

/** Tells the other tabs of the same session what it has come to know. */
export function openSessionChannel(receive: (shared: Shared) => void): (shared: Shared) => void {
  if (!('BroadcastChannel' in window)) return () => {};
  const channel = new BroadcastChannel('session');
  channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => receive(data));
  return (shared) => channel.postMessage(shared);
}
