import { type ServerProcess, startListening } from '../kit/server-process.ts';
import type { Captured } from './raw-server.ts';

/** A bare node:http server that sends what the app responds to these paths, one after another, whatever is requested. */
export async function rawServer(
  address: string,
  paths: readonly string[],
  headers: Record<string, string> = {},
): Promise<ServerProcess> {
  const captured: Captured[] = [];
  for (const path of paths) {
    const response = await fetch(address + path, { headers: { ...headers, 'accept-encoding': 'identity' } });
    if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}`);
    const body = Buffer.from(await response.arrayBuffer());
    captured.push([response.headers.get('content-type')!, body.toString('base64')]);
  }
  return startListening('test/bench/raw-server.ts', {}, JSON.stringify(captured));
}
