import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems choose themselves for connections, so that a port stays free while its server is away. */
const [first, number] = [20_000, 12_000];

/** A free port on the loopback interface. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * number);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
