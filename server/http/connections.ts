import type { Server } from 'node:http';
import { type BlockList, isIP, isIPv4, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A port after an IPv4 address, or after an IPv6 address in brackets. */
const withPort = /^(?:([\d.]+)|\[([^\]]+)\])(?::\d+)?$/;

/**
 * The network that counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, which belong to one
 * household. A proxy may pass on any text as an address: all such texts count as one network. A closed connection has no
 * address, although Fastify's types say otherwise.
 */
export function clientNetwork(client: string | undefined): string {
  if (client !== undefined && isIPv4(client)) return client;
  const [, ipv4, ipv6] = withPort.exec(client ?? '') ?? [];
  const [ip = ''] = (ipv4 ?? ipv6 ?? client ?? '').split('%');
  if (isIP(ip) === 0) return '';
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  if (/^::ffff:\d+\./i.test(ip)) return ip.slice('::ffff:'.length);
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':').length : 0;
  const filled = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - after).fill('0')];
  return filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}

/** The client network and the IPv6 networks of 56 and 48 bits that contain it, which may belong to one customer. */
export function clientNetworks(ip: string | undefined): string[] {
  const network = clientNetwork(ip);
  if (!network.includes(':')) return [network];
  const [first, second, third, fourth = ''] = network.split(':');
  const wide = `${first}:${second}:${third}`;
  return [network, `${wide}:${fourth.padStart(4, '0').slice(0, 2)}/56`, `${wide}/48`];
}

interface ConnectionLimit {
  perAddress: number;
  /** Reverse proxies carry the requests of many people and are not limited. */
  proxies: BlockList;
}

/** Refuses connections from an address that has reached its limit in this process. */
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

/** The default of nginx. */
const readTimeoutMs = 60_000;
const checksPerTimeout = 12;

interface Progress {
  /** Bytes that the client has received. */
  taken: number;
  /** Time of the last progress. */
  since: number;
}

/**
 * Closes connections whose client reads nothing of a pending response. Node limits how slowly a request may arrive, but
 * not how slowly its response is read.
 */
export function closeStalledConnections(server: Server, timeoutMs = readTimeoutMs): void {
  const connections = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { taken: 0, since: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, progress] of connections) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== progress.taken) Object.assign(progress, { taken, since: now });
      else if (now - progress.since >= timeoutMs) socket.destroy();
    }
  }, timeoutMs / checksPerTimeout);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Requests that a client may send before it has the response to the first. Browsers and proxies do not send any. */
const maxPipelined = 32;

/**
 * Handles the requests of a connection one after another. Node starts pipelined requests at once and buffers their
 * responses: a few kilobytes of requests for a large file, from a client that reads nothing, would take gigabytes.
 */
export function queuePipelinedRequests(app: FastifyInstance): void {
  const queued = new WeakMap<Socket, number>();

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    // A response is assigned its socket when the previous response has been sent.
    if (reply.raw.socket !== null) {
      done();
      return;
    }
    const ahead = (queued.get(socket) ?? 0) + 1;
    queued.set(socket, ahead);
    if (ahead > maxPipelined) {
      reply.hijack();
      socket.destroy();
      return;
    }
    reply.raw.once('socket', () => {
      queued.set(socket, queued.get(socket)! - 1);
      done();
    });
  });
}

const tickMs = 20;
/** Half a second. Ticks are counted, not time: on a busy machine they are late, and the requests of the proxy are late too. */
const graceTicks = 25;

/**
 * While the app closes, open connections are still served, with a response that closes them. Idle ones are closed only after
 * a grace period: a proxy may just have sent a request on one, which would be lost.
 */
export function closeGracefully(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const { server } = app;
    const closeIdle = server.closeIdleConnections.bind(server);
    // Node calls `closeIdleConnections` as soon as the server stops listening.
    server.closeIdleConnections = () => {};
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks >= graceTicks) closeIdle();
    }, tickMs).unref();
    server.once('close', () => clearInterval(ticking));
  });
}
