import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Window } from 'happy-dom';
import type { Wall } from '../wall.ts';
import type { OpenStream } from './event-source.ts';

/** The default of `PUBLIC_URL`. */
export const origin = 'http://localhost:3000';

type Handled = Response | Promise<Response>;

const listening = new WeakMap<Wall['app'], Promise<string>>();

/** Event streams need a real connection: the server writes to its socket. */
async function portOf({ app }: Wall): Promise<number> {
  if (!listening.has(app)) listening.set(app, app.listen({ host: '127.0.0.1', port: 0 }));
  await listening.get(app);
  return (app.server.address() as AddressInfo).port;
}

interface Intercepted {
  method: string;
  path: string;
  body: string | undefined;
  /** Sends the request to the server. */
  forward(): Promise<Response>;
}

export interface Network {
  /** The requests so far, as `GET /api/v1/posts`. */
  requests: string[];
  /** How many of them have no response yet. */
  withoutResponse(): number;
  /** By name. */
  cookies: Map<string, string>;
  openStream: OpenStream;
  /** Handles requests that match instead of the server, until the returned function is called. */
  intercept(pattern: RegExp, handler: (request: Intercepted) => Handled): () => void;
  /** The server receives the next request that matches, but its response is lost. */
  loseNext(pattern: RegExp): void;
  setOnline(online: boolean): void;
  /** Ends the open streams. */
  close(): void;
}

/** Connects a window to the server in this process. */
export function addNetwork(window: Window, wall: Wall, cookies: Map<string, string>): Network {
  const requests: string[] = [];
  const interceptions = new Map<RegExp, Parameters<Network['intercept']>[1]>();
  const streams = new Set<ClientRequest>();
  let isOnline = true;
  let withoutResponse = 0;
  Object.defineProperty(window.navigator, 'onLine', { get: () => isOnline });

  const ownHeaders = () => ({
    host: window.location.host,
    'sec-fetch-site': 'same-origin',
    cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
  });

  const inject = async (address: string, init: RequestInit) => {
    const url = new URL(address, window.location.href);
    const response = await wall.app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      headers: { ...(init.headers as Record<string, string> | undefined), ...ownHeaders() },
      ...(typeof init.body === 'string' && { payload: init.body }),
    });
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  Object.assign(window, {
    async fetch(address: string, init: RequestInit = {}): Promise<Response> {
      const { method = 'GET', signal } = init;
      const path = address.replace(/^https?:\/\/[^/]+/, '');
      const request = `${method} ${path}`;
      requests.push(request);
      // Failures of the network are errors of the window's own kind, which the app recognizes.
      const failure = () => window.eval('new TypeError("Failed to fetch")') as Error;
      if (!isOnline) throw failure();
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      // The request may have failed before it is given up.
      aborted.catch(() => {});
      const handler = [...interceptions].findLast(([pattern]) => pattern.test(request))?.[1];
      const body = typeof init.body === 'string' ? init.body : undefined;
      const forward = () => respond(address, init);
      withoutResponse += 1;
      try {
        const work = handler ? Promise.resolve(handler({ method, path, body, forward })) : forward();
        return await Promise.race([work, aborted]);
      } catch (error) {
        throw error instanceof TypeError ? failure() : error;
      } finally {
        withoutResponse -= 1;
      }
    },
  });

  async function respond(address: string, init: RequestInit): Promise<Response> {
    const { statusCode, headers, rawPayload } = await inject(address, init);
    const isEmpty = statusCode === 204 || statusCode === 304;
    const all = { ...headers, date: new Date(wall.clock.now * 1_000).toUTCString() };
    return new Response(isEmpty ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: all as unknown as Record<string, string>,
    });
  }

  function intercept(pattern: RegExp, handler: (request: Intercepted) => Handled): () => void {
    interceptions.set(pattern, handler);
    return () => void interceptions.delete(pattern);
  }

  return {
    requests,
    withoutResponse: () => withoutResponse,
    cookies,
    async openStream(address) {
      requests.push(`GET ${address}`);
      if (!isOnline) throw new TypeError('Failed to fetch');
      const port = await portOf(wall);
      const headers = { ...ownHeaders(), accept: 'text/event-stream' };
      const request = get({ host: '127.0.0.1', port, path: address, headers, agent: false });
      streams.add(request);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return { status: response.statusCode!, body: response };
    },
    intercept,
    loseNext(pattern) {
      const end = intercept(pattern, async ({ forward }) => {
        end();
        await forward();
        throw new TypeError('The response is lost');
      });
    },
    close() {
      for (const stream of streams) stream.destroy();
    },
    setOnline(online) {
      isOnline = online;
      window.dispatchEvent(new window.Event(online ? 'online' : 'offline'));
    },
  };
}
