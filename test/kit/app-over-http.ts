import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

export interface AppOverHttp extends Pick<FastifyInstance, 'inject'> {
  /** Closes the idle connections. */
  close(): void;
}

const connectionsEach = 500;

/**
 * `inject` over HTTP, for tests that run both in this process and against server processes. Sends each request to the next of the
 * ports, and `remoteAddress` as `X-Forwarded-For`. Rejects when the connection breaks.
 */
export function appOverHttp(...ports: number[]): AppOverHttp {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsEach });
  let turn = 0;
  const inject = (options: InjectOptions) => send(agent, ports[(turn += 1) % ports.length]!, options);
  return { inject: inject as AppOverHttp['inject'], close: () => agent.destroy() };
}

async function send(
  agent: Agent,
  port: number,
  { method = 'GET', url, headers, cookies = {}, payload, remoteAddress }: InjectOptions,
): Promise<LightMyRequestResponse> {
  const isText = typeof payload === 'string' || payload === undefined;
  const body = isText ? payload : JSON.stringify(payload);
  const cookie = Object.entries(cookies as Record<string, string>)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const { promise, resolve, reject } = Promise.withResolvers<LightMyRequestResponse>();
  const all = {
    ...(remoteAddress && { 'x-forwarded-for': remoteAddress }),
    ...(cookie && { cookie }),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    ...(!isText && { 'content-type': 'application/json' }),
    ...headers,
  };
  const sent = request({ agent, host: '127.0.0.1', port, method, path: url as string, headers: all });
  sent.on('error', reject);
  sent.on('response', (response) => {
    const received = (bytes: Buffer): LightMyRequestResponse => {
      const text = bytes.toString('utf8');
      const set = response.headers['set-cookie'] ?? [];
      return {
        statusCode: response.statusCode!,
        headers: response.headers,
        body: text,
        json: () => JSON.parse(text) as never,
        cookies: set.map((line) => /^(?<name>[^=]+)=(?<value>[^;]*)/.exec(line)!.groups!),
      } as unknown as LightMyRequestResponse;
    };
    buffer(response).then((bytes) => resolve(received(bytes)), reject);
  });
  sent.end(body);
  return promise;
}
