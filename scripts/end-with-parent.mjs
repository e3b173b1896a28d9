// Preloaded into the server with `--import end-with-parent.mjs?<pid>`: the server ends when the start script is killed with
// SIGKILL.
import { isMainThread } from 'node:worker_threads';

const checkMs = 200;
const parent = Number(new URL(import.meta.url).search.slice(1));

if (isMainThread) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, checkMs);
  watch.unref();
}
