import type { AccessToken } from './access-tokens.ts';

interface SharedToken {
  /** The sign-in it belongs to. */
  mark: string;
  accessToken: AccessToken;
}

/** Hands a fresh token to the other tabs, so that one renewal does for all of them. */
export function openTokenChannel(receive: (shared: SharedToken) => void): (shared: SharedToken) => void {
  if (!('BroadcastChannel' in window)) return () => {};
  const channel = new BroadcastChannel('access token');
  channel.addEventListener('message', ({ data }: MessageEvent<SharedToken>) => receive(data));
  return (shared) => channel.postMessage(shared);
}
