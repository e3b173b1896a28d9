import { isIPv6 } from 'node:net';
import { readConfig } from '../../config.ts';

const timeoutMs = 3_000;

/** Addresses that mean “all of this machine” are listened on, but not connected to. */
const own: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const { host, port } = readConfig(process.env);
const address = own[host] ?? host;
const url = `http://${isIPv6(address) ? `[${address}]` : address}:${port}/readyz`;
const problem = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
  ({ ok, status }) => (ok ? undefined : `${url} answered ${status}.`),
  (error: unknown) => `${url} did not answer (${(error as Error).message}).`,
);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}
