// Preloaded into a measured server. When it ends it prints the longest time since SIGUSR2 for which its main thread computed
// without coming back to its timers. Unlike latencies, this leaves out when the machine gave the thread no processor.

const everyMs = 5;

const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let before = computedMs();
let longest = 0;
setInterval(() => {
  const now = computedMs();
  longest = Math.max(longest, now - before);
  before = now;
}, everyMs).unref();
process.on('SIGUSR2', () => (longest = 0));
process.on('exit', () => process.stderr.write(`longest stall ${longest} ms\n`));
