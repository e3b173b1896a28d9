import type { Usage } from './usage.ts';

// Preloaded into every process of the bench: it tells its usage when asked and ends with the bench, however that ends.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMicroseconds: user + system, memoryBytes: process.memoryUsage.rss() } satisfies Usage);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Waiting for questions is no reason to stay.
process.channel?.unref();
