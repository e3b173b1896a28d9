import type { Server } from 'node:http';
import { type BlockList, isIPv6, type Socket } from 'node:net';
import { clientNetwork } from './client-network.ts';

interface ConnectionLimit {
  perAddress: number;
  /** Reverse proxies: each speaks for many people, and is not counted. */
  proxies: BlockList;
}

/** Refuses connections of an address that already has as many to this process as it may have. */
export function limitConnections(server: Server, { perAddress, proxies }: ConnectionLimit): void {
  const open = new Map<string, number>();

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return;
    const network = clientNetwork(remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
