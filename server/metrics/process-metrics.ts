import { monitorEventLoopDelay } from 'node:perf_hooks';
import packageJson from '../../package.json' with { type: 'json' };
import { counter, gauge, type Metric } from './metric.ts';

/** The monitor tells how long its own timer took, which is at least this. */
const resolutionMs = 10;

export interface ProcessWatch {
  metrics(): Metric[];
  stop(): void;
}

/** What Prometheus' own clients call these things, so that ready dashboards show them. */
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
        gauge('nodejs_eventloop_lag_p50_seconds', 'Event-loop lag since the last scrape, median.', p50!),
        gauge('nodejs_eventloop_lag_p99_seconds', 'Event-loop lag since the last scrape, 99th percentile.', p99!),
        gauge('nodejs_eventloop_lag_max_seconds', 'Event-loop lag since the last scrape, worst.', max!),
        gauge('nodejs_heap_size_used_bytes', 'JavaScript objects.', heapUsed),
        gauge('nodejs_heap_size_total_bytes', 'The heap that holds them.', heapTotal),
        gauge('nodejs_external_memory_bytes', 'What they hold outside the heap, buffers among it.', external),
        gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
        counter('process_cpu_seconds_total', 'Processor time, of all threads.', (user + system) / 1e6),
        gauge('process_start_time_seconds', 'When the process began, in unix time.', startedAt),
        gauge('process_uptime_seconds', 'How long the process has run.', process.uptime()),
        gauge('stena_build_info', 'Always 1; its labels say what runs.', [
          { value: 1, labels: { version: packageJson.version, node: process.version } },
        ]),
      ];
    },
    stop: () => delay.disable(),
  };
}

const lagSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000);
