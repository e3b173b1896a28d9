import type { FastifyInstance } from 'fastify';

const settleMs = 500;
const dropIdleEveryMs = 20;

/**
 * An app that closes takes no new connection, and answers what still comes by the open ones, telling the sender to
 * connect anew. A connection that is dropped takes with it what a proxy has just sent by it, so idle ones are given a
 * while first: those that are in use are closed by their next answer.
 */
export function closeGently(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const { server } = app;
    const dropIdle = server.closeIdleConnections.bind(server);
    // Node drops them as soon as it no longer listens, unless it is kept from it.
    server.closeIdleConnections = () => {};
    let dropping: NodeJS.Timeout | undefined;
    const settling = setTimeout(() => (dropping = setInterval(dropIdle, dropIdleEveryMs).unref()), settleMs).unref();
    server.once('close', () => {
      clearTimeout(settling);
      clearInterval(dropping);
    });
  });
}
