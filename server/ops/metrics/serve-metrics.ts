import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { cannotListen, type Config } from '../../config.ts';
import type { Traffic } from '../../http/fast-path.ts';
import { healthPaths } from '../../http/request-guards.ts';
import { eventsUrl } from '../../http/slow-answers.ts';
import { counter, gauge, Histogram, type Metric, Registry, type Sample, type Source, textType } from './registry.ts';
import { version } from '../../version.ts';

const latencySeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'];
/** Indexed by the first digit of the status; `none` when the client disconnected before a response began. */
const outcomes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

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
function watchTraffic(app: FastifyInstance): Source {
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
  if (healthPaths.has(url)) return 'health';
  return /\.\w+$/.test(url) ? 'asset' : 'page';
}

/** The monitor measures the delay of its own timer, which includes this interval. */
const resolutionMs = 10;

interface ProcessWatch {
  metrics(): Metric[];
  stop(): void;
}

/** Uses the metric names of the official Prometheus clients, so that existing dashboards work. */
function watchProcess(): ProcessWatch {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const startedAt = Date.now() / 1_000 - process.uptime();

  return {
    metrics() {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max].map(lagSeconds);
      delay.reset();
      return [
        gauge('nodejs_eventloop_lag_p50_seconds', 'Median event loop lag since the last scrape.', p50!),
        gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the event loop lag since the last scrape.', p99!),
        gauge('nodejs_eventloop_lag_max_seconds', 'Maximum event loop lag since the last scrape.', max!),
        gauge('nodejs_heap_size_used_bytes', 'Used heap.', heapUsed),
        gauge('nodejs_heap_size_total_bytes', 'Allocated heap.', heapTotal),
        gauge(
          'nodejs_external_memory_bytes',
          'Memory of JavaScript objects outside the heap, such as buffers.',
          external,
        ),
        gauge('process_resident_memory_bytes', 'Resident memory of the process.', rss),
        counter('process_cpu_seconds_total', 'User and system CPU time of all threads.', (user + system) / 1e6),
        gauge('process_start_time_seconds', 'Start time of the process in unix seconds.', startedAt),
        gauge('process_uptime_seconds', 'Time since the process started.', process.uptime()),
        gauge('stena_build_info', 'Always 1; the labels hold the versions.', [
          { value: 1, labels: { version, node: process.version } },
        ]),
      ];
    },
    stop: () => delay.disable(),
  };
}

/** Rejects on systems without /proc, where these metrics are left out. */
async function fileMetrics(): Promise<Metric[]> {
  const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')]);
  const most = Number(/^Max open files +(\d+)/m.exec(limits)![1]);
  return [
    gauge('process_open_fds', 'Open files and connections.', open.length),
    gauge('process_max_fds', 'How many the process may have open.', most),
  ];
}

const lagSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000);

/** Serves the metrics on an address of their own while the app runs. Call it before any route is registered. */
export function serveMetrics(app: FastifyInstance, address: NonNullable<Config['metrics']>): Registry {
  const registry = new Registry();
  const watch = watchProcess();
  registry.add(() => watch.metrics());
  registry.add(fileMetrics);
  registry.add(watchTraffic(app));

  const server = createServer(async ({ method, url }, response) => {
    const isScrape = (method === 'GET' || method === 'HEAD') && url?.split('?', 1)[0] === '/metrics';
    if (isScrape) response.setHeader('content-type', textType).end(await registry.text());
    else response.writeHead(404).end();
  });
  app.addHook('onReady', async () => {
    server.listen(address);
    // This rejects when the address is in use, and the server does not start.
    await once(server, 'listening').catch(cannotListen('METRICS'));
  });
  app.addHook('onClose', async () => {
    watch.stop();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    // An open scrape must not delay the shutdown.
    server.closeAllConnections();
    await closed;
  });
  return registry;
}
