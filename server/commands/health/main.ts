import { isIPv6 } from 'node:net';
import { readConfig } from '../../config.ts';

const timeoutMs = 3_000;

/** A server can listen on an address that stands for all addresses of the machine, but nobody can connect to it. */
const own: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The error of `fetch` only says that it failed; a refused connection is its cause. */
function reasonOf({ cause, name, message }: Error): string {
  if (name === 'TimeoutError') return `за ${timeoutMs / 1_000} с`;
  return (cause instanceof Error && ((cause as NodeJS.ErrnoException).code ?? cause.message)) || message;
}

const { host, port } = readConfig(process.env);
const address = own[host] ?? host;
const url = `http://${isIPv6(address) ? `[${address}]` : address}:${port}/readyz`;
const problem = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
  async (response) => {
    if (!response.ok) return `${url} отвечает ${response.status}.`;
    const { status, version } = (await response.json()) as { status: string; version?: string };
    if (status !== 'ok') return 'База повреждена: что делать, сказано в журнале строкой writes are failing.';
    console.log(`Стена ${version ?? 'неизвестной версии'} готова: ${url}`);
    return undefined;
  },
  (error: unknown) => `${url} не отвечает (${reasonOf(error as Error)}).`,
);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}
