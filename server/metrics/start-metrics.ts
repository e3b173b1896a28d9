import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { watchProcess } from './process-metrics.ts';
import { Registry } from './registry.ts';
import { textType } from './text-format.ts';
import { watchTraffic } from './traffic.ts';

/** Serves what is measured on an address of its own, for as long as the app runs. To be called before any route is made. */
export function startMetrics(app: FastifyInstance, address: NonNullable<Config['metrics']>): Registry {
  const registry = new Registry();
  const watch = watchProcess();
  registry.add(() => watch.metrics());
  registry.add(watchTraffic(app));

  const server = createServer(async ({ method, url }, response) => {
    const isAsked = (method === 'GET' || method === 'HEAD') && url?.split('?', 1)[0] === '/metrics';
    if (isAsked) response.setHeader('content-type', textType).end(await registry.text());
    else response.writeHead(404).end();
  });
  app.addHook('onReady', async () => {
    server.listen(address);
    // Rejects when the address is taken: then the wall does not start.
    await once(server, 'listening');
  });
  app.addHook('onClose', async () => {
    watch.stop();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    // A scrape that is cut off is no loss; a slow client would hold up the stop.
    server.closeAllConnections();
    await closed;
  });
  return registry;
}
