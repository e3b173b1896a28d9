import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { type ClientSettings, undoOutcomes, undoPath } from '#contract/page.ts';
import type { Database } from '../db/database.ts';
import { latestPosition } from '../events/store.ts';
import { Answer, redirectTo } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { isApi } from '../http/errors.ts';
import type { Memory } from '../http/memory.ts';
import { emailUndo, feedContent, type FoundContent, notFound, postContent, secured, userContent } from './content.ts';
import { securedPaths } from './secured-paths.ts';
import type { RenderPage } from './web-build.ts';

export interface PageOptions {
  db: Database;
  memory: Memory;
  render: RenderPage;
  settings: ClientSettings;
  /** Unix seconds. */
  now: () => number;
}

interface PageRequest {
  params: Record<string, string>;
  cursor: string | undefined;
}

/** A page's address and query around one slash too many. Without empty segments it cannot name another site. */
const endsWithSlash = /^((?:\/[\w%.~-]+)+)\/(\?.*)?$/s;

/** The readable pages: the same HTML for everyone, held ready. */
export function pageRoutes(app: FastifyInstance, { db, memory, render, settings, now }: PageOptions): void {
  app.get(
    '/',
    page(({ cursor }) => feedContent(db, cursor)),
  );
  app.get(
    '/posts/:id',
    page(({ params, cursor }) => postContent(db, params['id']!, cursor)),
  );
  app.get(
    '/users/:username',
    page(({ params, cursor }) => userContent(db, { username: params['username']!, cursor, now: now() })),
  );
  for (const path of securedPaths) {
    app.get(
      path,
      page(async () => secured),
    );
  }
  for (const path of [undoPath, ...undoOutcomes.map((outcome) => `${undoPath}/${outcome}`)]) {
    app.get(
      path,
      page(async () => emailUndo),
    );
  }
  const missingPage = page(async () => notFound);

  app.setNotFoundHandler((request, reply) => {
    const forPeople = !isApi(request.url) && (request.method === 'GET' || request.method === 'HEAD');
    if (!forPeople) throw new ApiError('NOT_FOUND');
    const slashed = endsWithSlash.exec(request.url);
    if (slashed) return reply.redirect(`${slashed[1]}${slashed[2] ?? ''}`, 308);
    return missingPage(request, reply);
  });

  function page(find: (request: PageRequest) => Promise<FoundContent>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const params = request.params as Record<string, string>;
      const cursor = [(request.query as { cursor?: string | string[] }).cursor].flat()[0];
      const path = request.url.split('?', 1)[0]!;
      const key = `page ${path}?${cursor ?? ''}`;
      const answer =
        memory.get(key) ??
        (await memory.build(key, () => make(() => find({ params, cursor }), path), limits.heldHtmlSeconds * 1_000));
      return reply.answer(answer!);
    };
  }

  async function make(find: () => Promise<FoundContent>, path: string) {
    // First, so that nothing falls between the page and the events that follow.
    const position = String(await latestPosition(db.read));
    const { content, tags, movedTo } = await find();
    if (movedTo !== undefined) return { answer: redirectTo(movedTo), tags: undefined };
    const html = await render({ settings, madeAt: now(), position, content }, path);
    return { answer: new Answer(html, 'text/html; charset=utf-8', tags ? 200 : 404), tags };
  }
}
