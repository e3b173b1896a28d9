import type { Usage } from './node-process.ts';

// Preloaded into child processes: reports resource usage on request and exits when the parent exits in any way.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMicroseconds: user + system, memoryBytes: process.memoryUsage.rss() } satisfies Usage);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The IPC channel alone must not keep the process alive.
process.channel?.unref();
