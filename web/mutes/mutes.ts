import type { Post } from '#contract/posts.ts';
import type { MutedUser } from '#contract/mutes.ts';
import type { Session } from '../auth/session.ts';
import { explainLoading, onDemand } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { forgetPastMutes, keepMutes, keptMutes, onKeptMutes } from './kept-mutes.ts';

/** How a post stands in lists: as a quiet line while its author is muted, until that line is opened. */
export type Standing = 'plain' | 'quiet' | 'opened';

const idleWithinMs = 2_000;

/** Whom the signed-in person has muted, the same in all tabs; what asks the server comes when it is needed. */
export function createMutes(session: Session) {
  const listeners = new Set<() => void>();
  let authors: ReadonlySet<string> = new Set(keptMutes());
  /** Posts whose line has been opened, with their authors. */
  const opened = new Map<string, string>();

  function become(authorIds: Iterable<string>): void {
    authors = new Set(authorIds);
    for (const [postId, authorId] of opened) if (!authors.has(authorId)) opened.delete(postId);
    tell();
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function replace(authorIds: Iterable<string>): void {
    become(authorIds);
    keepMutes(authors);
  }

  const muting = onDemand(async () => (await import('./muting.ts')).createMuting({ ids: () => authors, replace }));

  const refresh = async (): Promise<MutedUser[]> => (await muting.load()).refresh();

  return {
    authors: (): ReadonlySet<string> => authors,

    has: (authorId: string): boolean => authors.has(authorId),

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    standing({ id, owner }: Pick<Post, 'id' | 'owner'>): Standing {
      if (!authors.has(owner.id)) return 'plain';
      return opened.has(id) ? 'opened' : 'quiet';
    },

    open({ id, owner }: Pick<Post, 'id' | 'owner'>): void {
      opened.set(id, owner.id);
      tell();
    },

    /** Shown at once; what fails is told and taken back. */
    async change(authorId: string, muted: boolean): Promise<void> {
      try {
        (await muting.load()).change(authorId, muted);
      } catch (error) {
        showToast(explainLoading(error));
      }
    },

    /** What the server knows of them. */
    refresh,

    /** Until it comes, what was kept holds. */
    async fetchAhead(): Promise<void> {
      await whenIdle(idleWithinMs);
      await refresh().catch(() => {});
    },

    /** In the browser, once. */
    start(): void {
      onKeptMutes(() => become(keptMutes()));
      session.onEnd(() => {
        forgetPastMutes();
        become([]);
      });
    },
  };
}

export type Mutes = ReturnType<typeof createMutes>;
