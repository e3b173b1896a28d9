import type { FastifyInstance } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { readEvents } from '#contract/events.ts';
import { Histogram } from './histogram.ts';
import { counter, type Metric, type Sample } from './metric.ts';
import type { Source } from './registry.ts';

const latencySeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'];
/** By the first digit of the status; first those whose client left before there was one. */
const outcomes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Its streams last for as long as somebody reads. */
const eventsUrl = apiPrefix + readEvents.path;

declare module 'fastify' {
  interface FastifyContextConfig {
    traffic?: AreaTraffic;
  }
}

/** What has come in for the routes of one area. */
class AreaTraffic {
  #answers = new Map(methods.map((method) => [method, outcomes.map(() => 0)]));
  #latency = new Histogram(latencySeconds);

  count(method: string, status: number, seconds: number | undefined): void {
    const answers = this.#answers.get(method) ?? this.#answers.get('other')!;
    answers[Math.floor(status / 100)]! += 1;
    if (seconds !== undefined) this.#latency.observe(seconds);
  }

  requests(area: string): Sample[] {
    const samples = [...this.#answers].flatMap(([method, answers]) =>
      answers.map((value, i): Sample => ({ labels: { area, method, status: outcomes[i]! }, value })),
    );
    return samples.filter(({ value }) => value > 0);
  }

  latency(area: string): Sample[] {
    return this.#latency.samples({ area });
  }
}

/** Counts the requests to all routes that are registered after it. */
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
  app.addHook('onRequest', (request, { raw }, done) => {
    const began = performance.now();
    const { config, url } = request.routeOptions;
    // Answers held ready pass by Fastify's own end of a request, and a client that leaves never gets to it.
    raw.once('close', () => {
      const seconds = url === eventsUrl ? undefined : (performance.now() - began) / 1_000;
      (config.traffic ?? unrouted).count(request.method, raw.headersSent ? raw.statusCode : 0, seconds);
    });
    done();
  });

  return (): Metric[] => [
    counter(
      'stena_http_requests_total',
      'Requests that have ended, by the area of their route, method and class of status. Streams count when they end.',
      [...areas].flatMap(([area, traffic]) => traffic.requests(area)),
    ),
    {
      name: 'stena_http_request_seconds',
      help: 'From the headers of a request to the end of its answer; of events, which may be streams, none.',
      type: 'histogram',
      samples: [...areas].flatMap(([area, traffic]) => traffic.latency(area)),
    },
  ];
}

/** The first word of a call's path; of anything else, what kind of thing it is. */
function areaOf(url: string): string {
  if (url.startsWith(`${apiPrefix}/`)) return /^\w+/.exec(url.slice(apiPrefix.length + 1))?.[0] ?? 'none';
  if (url === '/healthz' || url === '/readyz') return 'health';
  return /\.\w+$/.test(url) ? 'asset' : 'page';
}
