import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range is below the ports that systems choose for connections, so that a port stays free while its server is down. */
const [first, number] = [20_000, 12_000];

/** A free port on the loopback interface. No other test gets it until this process ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * number);
    if ((await isFree(port)) && (await reserve(port))) return port;
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

/** Reserves a port with a UDP socket until this process ends. Tests in other processes cannot bind it again, but a server can use TCP. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    socket.close();
    return false;
  }
}
