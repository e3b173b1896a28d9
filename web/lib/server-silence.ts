import { listen } from './watch.ts';
import { createObservable, type Observable } from './observable.ts';

type Way = 'stream' | 'request';

const failed = new Set<Way>();
const silent = createObservable(false);

/** Whether the event stream and a request have failed since the server last responded, though the browser is online. */
export const serverIsSilent: Observable<boolean> = silent;

export function noteFailure(way: Way): void {
  if (!navigator.onLine) return;
  failed.add(way);
  if (failed.size === 2 && !silent.get()) silent.set(true);
}

export function noteResponse(): void {
  failed.clear();
  if (silent.get()) silent.set(false);
}

/** Calls back when the browser is online again, or the server that was silent responds. */
export function onRecovery(listener: () => void): () => void {
  const stops = [listen(window, ['online'], listener), silent.subscribe(() => silent.get() || listener())];
  return () => stops.forEach((stop) => stop());
}

/** Sends a request and notes whether the server has responded. A proxy responds for a server that is away. */
export async function noting(sending: Promise<Response>): Promise<Response> {
  try {
    const response = await sending;
    const isProxys = response.status >= 502 && !response.headers.get('content-type')?.includes('json');
    if (isProxys) noteFailure('request');
    else noteResponse();
    return response;
  } catch (error) {
    // An aborted request means that the reader has left, not that the server is silent.
    if (!(error instanceof DOMException && error.name === 'AbortError')) noteFailure('request');
    throw error;
  }
}
