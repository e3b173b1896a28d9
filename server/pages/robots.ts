import type { FastifyInstance } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { Answer } from '../http/answer.ts';
import { securedPaths } from './secured-paths.ts';

/** Everything that everybody may read is open to search engines too. */
export function robotsRoute(app: FastifyInstance, publicUrl: string): void {
  const [apiRoot] = /^\/[^/]+\//.exec(apiPrefix)!;
  const closed = [apiRoot, ...securedPaths].map((path) => `Disallow: ${path}`);
  const lines = ['User-agent: *', ...closed, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''];
  const answer = new Answer(lines.join('\n'), 'text/plain; charset=utf-8');
  app.get('/robots.txt', (_request, reply) => reply.answer(answer));
}
