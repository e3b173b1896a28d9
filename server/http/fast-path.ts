import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { hasOneHost } from './request-guards.ts';
import type { ReadyResponse } from './response.ts';

/** Finds the cached response of an address; undefined while it is not current. */
type Find = () => ReadyResponse | undefined;

interface Known {
  find: Find;
  traffic: Traffic | undefined;
}

/** Counts the request when its response is closed. */
export interface Traffic {
  watch(request: IncomingMessage, response: ServerResponse): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    fastPath: FastPath;
  }
  interface FastifyContextConfig {
    traffic?: Traffic;
  }
}

interface FastPathOptions {
  /** Whether the wall is closed and the client is not known as a member. */
  isShut(request: IncomingMessage): boolean;
  /** Whether this process lacks a write that the client has made through another process. */
  isBehind(request: IncomingMessage): boolean;
  /** Counts a read; returns more than 0 when the client has to wait. */
  secondsToWait(request: IncomingMessage): number;
  send(request: IncomingMessage, response: ServerResponse, ready: ReadyResponse): void;
  log: FastifyBaseLogger;
}

const maxKnown = 2_000;
const maxUrlLength = 200;

/** A request with one of these headers may get another response than the cached one. */
const unusual = ['authorization', 'cache-control', 'content-length', 'transfer-encoding', 'expect'] as const;

/**
 * Sends cached responses to visitors without Fastify, whose handling of a request takes as long as everything else. An address
 * is known after its route has sent a cached response. Requests for other addresses go to their routes.
 */
export class FastPath {
  #known = new Map<string, Known>();
  #options: FastPathOptions;
  #isClosing = false;

  constructor(app: FastifyInstance, options: FastPathOptions) {
    this.#options = options;
    const [toRoute] = app.server.listeners('request') as [RequestListener];
    app.server.off('request', toRoute).on('request', (request, response) => {
      if (!this.#tries(request, response)) toRoute.call(app.server, request, response);
    });
    // From then on all requests go to Fastify, which closes each connection with its next response.
    app.addHook('preClose', async () => void (this.#isClosing = true));
  }

  /** From now on a visitor's GET of the same address gets the response that `find` returns. */
  remember({ originalUrl, method, routeOptions }: FastifyRequest, find: Find): void {
    if (method !== 'GET' || originalUrl.length > maxUrlLength) return;
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(originalUrl, { find, traffic: routeOptions.config.traffic });
  }

  /** An error here would end the process: nothing above catches it. */
  #tries(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      return this.#responds(request, response);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a cached response failed in front of its route');
      if (response.headersSent) response.destroy();
      return response.headersSent;
    }
  }

  #responds(request: IncomingMessage, response: ServerResponse): boolean {
    const known = this.#known.get(request.url!);
    // A pipelined request (without a socket of its own) goes to its route, where it waits for the previous response.
    if (!known || request.method !== 'GET' || response.socket === null || this.#isClosing) return false;
    if (this.#options.isShut(request)) return false;
    const { headers } = request;
    for (const name of unusual) if (headers[name] !== undefined) return false;
    if (!hasOneHost(headers) || this.#options.isBehind(request)) return false;
    const ready = known.find();
    if (!ready || ready.prepare(headers) || this.#options.secondsToWait(request) > 0) return false;
    known.traffic?.watch(request, response);
    this.#options.send(request, response, ready);
    return true;
  }
}
