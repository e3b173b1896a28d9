import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { cannotListen } from '../../config-values.ts';
import type { Config } from '../../config.ts';
import { watchProcess } from './process-metrics.ts';
import { Registry, textType } from './registry.ts';
import { watchTraffic } from './traffic.ts';

/** Serves the metrics on an address of their own while the app runs. Call it before any route is registered. */
export function serveMetrics(app: FastifyInstance, address: NonNullable<Config['metrics']>): Registry {
  const registry = new Registry();
  const watch = watchProcess();
  registry.add(() => watch.metrics());
  registry.add(watchTraffic(app));

  const server = createServer(async ({ method, url }, response) => {
    const isScrape = (method === 'GET' || method === 'HEAD') && url?.split('?', 1)[0] === '/metrics';
    if (isScrape) response.setHeader('content-type', textType).end(await registry.text());
    else response.writeHead(404).end();
  });
  app.addHook('onReady', async () => {
    server.listen(address);
    // Rejects when the address is in use; the server then does not start.
    await once(server, 'listening').catch(cannotListen('METRICS'));
  });
  app.addHook('onClose', async () => {
    watch.stop();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    // An open scrape must not delay the shutdown.
    server.closeAllConnections();
    await closed;
  });
  return registry;
}
