import type { CallEndpoint } from '#contract/calls.ts';
import { limits } from '#contract/limits.ts';
import type { Aside } from '#contract/posts.ts';
import { type FoundPage, loadList } from '../posts/store/fetch-post-page.ts';
import type { ListPage } from '../posts/store/post-list-state.ts';

/** The data of a search page besides its results. */
export interface Search {
  /** Null if visitors may not search now: then the page is the same for all queries. */
  q: string | null;
  /** Why nothing was searched for. */
  problem?: { title: string; text: string };
  /** The query in the other keyboard layout, if that finds something. */
  corrected?: string | null;
  /** The name after от: when nobody has it. */
  unknownAuthor?: string | null;
  /** Discussions for a page without a query, in the server's HTML. */
  discussed?: Aside['discussed'];
}

interface FoundRequest {
  q: string;
  refusal?: string | undefined;
  call: CallEndpoint;
  cursor: string | null;
  count: number;
  signal: AbortSignal;
}

const tooLong = {
  title: 'Запрос слишком длинный',
  text: `Сократите его до ${limits.searchLength} символов.`,
};

const refusedQuery = (text: string) => ({ title: 'Так искать не получится', text });

async function readDiscussed(call: CallEndpoint): Promise<Pick<Search, 'discussed'>> {
  const { aside } = await call('GET /posts/discussed', { query: { limit: '1', aside: 'true' } });
  return { discussed: aside?.discussed ?? [] };
}

/** The results of a search, or why there are none. */
export async function loadSearch({ q: typed, refusal, ...request }: FoundRequest) {
  if (refusal !== undefined) {
    return { search: { q: null, problem: { title: 'Слишком много запросов', text: refusal } }, secured: true as const };
  }
  const q = typed.trim();
  if (q === '') return { search: { q, ...(import.meta.env.SSR && (await readDiscussed(request.call))) } };
  // Counts code points. `postTextLength` would load the code for texts of posts.
  if ([...q].length > limits.searchLength) return { search: { q, problem: tooLong } };
  const source = { kind: 'search', q } as const;
  try {
    const found = await loadList(source, request);
    const { corrected = null, unknownAuthor = null, ...page }: Partial<FoundPage> & ListPage = found.page;
    return { search: { q, corrected, unknownAuthor }, list: { source, page } };
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    if (code === 'UNAUTHORIZED') return { search: { q }, secured: true as const };
    // The server says what is wrong with the query.
    if (code === 'INVALID_REQUEST' && request.cursor === null) return { search: { q, problem: refusedQuery(message) } };
    throw error;
  }
}
