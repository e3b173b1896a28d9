import { monitorEventLoopDelay } from 'node:perf_hooks';
import packageJson from '../../../package.json' with { type: 'json' };
import { counter, gauge, type Metric } from './registry.ts';

/** The monitor measures the delay of its own timer, which includes this interval. */
const resolutionMs = 10;

export interface ProcessWatch {
  metrics(): Metric[];
  stop(): void;
}

/** Uses the metric names of the official Prometheus clients, so that existing dashboards work. */
export function watchProcess(): ProcessWatch {
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
          { value: 1, labels: { version: packageJson.version, node: process.version } },
        ]),
      ];
    },
    stop: () => delay.disable(),
  };
}

const lagSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000);
