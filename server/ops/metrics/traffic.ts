import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { readEvents } from '#contract/live.ts';
import type { Traffic } from '../../http/fast-path.ts';
import { counter, Histogram, type Metric, type Sample, type Source } from './registry.ts';

const latencySeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'];
/** Indexed by the first digit of the status; `none` when the client disconnected before a response began. */
const outcomes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Excluded from the latency: its streams stay open until the subscriber disconnects. */
const eventsUrl = apiPrefix + readEvents.path;

/** Requests to the routes of one area. */
class AreaTraffic implements Traffic {
  #responses = new Map(methods.map((method) => [method, outcomes.map(() => 0)]));
  #latency = new Histogram(latencySeconds);

  /** Fastify's onResponse hook misses cached responses, which bypass its reply, and requests the client aborted. */
  watch({ method = 'other' }: IncomingMessage, response: ServerResponse, isStream = false): void {
    const began = performance.now();
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : 0;
      const responses = this.#responses.get(method) ?? this.#responses.get('other')!;
      responses[Math.floor(status / 100)]! += 1;
      if (!isStream) this.#latency.observe((performance.now() - began) / 1_000);
    });
  }

  requests(area: string): Sample[] {
    const samples = [...this.#responses].flatMap(([method, responses]) =>
      responses.map((value, i): Sample => ({ labels: { area, method, status: outcomes[i]! }, value })),
    );
    return samples.filter(({ value }) => value > 0);
  }

  latency(area: string): Sample[] {
    return this.#latency.samples({ area });
  }
}

/** Counts the requests to all routes registered after this call. */
export function watchTraffic(app: FastifyInstance): Source {
  const areas = new Map<string, AreaTraffic>();
  const trafficOf = (area: string): AreaTraffic => {
    const traffic = areas.get(area) ?? new AreaTraffic();
    areas.set(area, traffic);
    return traffic;
  };
  const unrouted = trafficOf('none');

  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, traffic: trafficOf(areaOf(route.url)) };
  });
  app.addHook('onRequest', ({ raw, routeOptions: { config, url } }, reply, done) => {
    const traffic = (config.traffic as AreaTraffic | undefined) ?? unrouted;
    traffic.watch(raw, reply.raw, url === eventsUrl);
    done();
  });

  return (): Metric[] => [
    counter(
      'stena_http_requests_total',
      'Completed requests by area of the route, method and status class. A stream counts when it ends.',
      [...areas].flatMap(([area, traffic]) => traffic.requests(area)),
    ),
    {
      name: 'stena_http_request_seconds',
      help: 'Time from the request headers to the end of the response, without event streams.',
      type: 'histogram',
      samples: [...areas].flatMap(([area, traffic]) => traffic.latency(area)),
    },
  ];
}

/** The first word of an API path; the kind of any other route. */
function areaOf(url: string): string {
  if (url.startsWith(`${apiPrefix}/`)) return /^\w+/.exec(url.slice(apiPrefix.length + 1))?.[0] ?? 'none';
  if (url === '/healthz' || url === '/readyz') return 'health';
  return /\.\w+$/.test(url) ? 'asset' : 'page';
}
