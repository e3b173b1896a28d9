import { useLayoutEffect } from 'react';
import type { Owner, Post } from '#contract/posts.ts';
import { createObservable, type Observable, useMounted, useObservable } from '../../lib/observable.ts';
import { explainLoading, onDemand } from '../../lib/on-demand.ts';
import { createRequiredContext } from '../../lib/required-context.ts';
import { showToast } from '../../lib/toasts.ts';
import { whenIdle } from '../../lib/waits.ts';
import { usePerform } from '../session/actions.ts';
import type { Session } from '../session/session.ts';
import { onMutesElsewhere, readStoredMutes, removePastMutes, writeStoredMutes } from './stored-mutes.ts';

/** How a discussion shows a post: a muted author's post is a quiet line until the person opens it. Lists have no row for it. */
export type PostDisplay = 'full' | 'quiet' | 'opened';

interface MutesState {
  /** The ids of the muted authors. */
  authors: ReadonlySet<string>;
  /** The ids of posts whose quiet line has been opened, each with the id of the muted author. */
  opened: ReadonlyMap<string, string>;
}

const idleWithinMs = 2_000;

/**
 * The authors whom the signed-in person has muted, the same in all tabs. `known`: their ids on a page that the server made for
 * this person. A page that is the same for everyone shows all authors.
 */
export function createMutes(session: Session, known?: readonly string[]) {
  const state = createObservable<MutesState>({ authors: new Set(known), opened: new Map() });
  if (!known) setAuthors(readStoredMutes());

  function setAuthors(authorIds: Iterable<string>): void {
    const authors = new Set(authorIds);
    const opened = [...state.get().opened].filter(([, authorId]) => authors.has(authorId));
    state.set({ authors, opened: new Map(opened) });
  }

  /** Loads the code that sends requests when it is needed. */
  const sync = onDemand(async () => {
    const [{ createMutesSync }, { keepPlace }] = await Promise.all([
      import('./mutes-sync.ts'),
      import('./keep-place.ts'),
    ]);
    return createMutesSync({
      read: () => state.get().authors,
      write(authorIds) {
        keepPlace(() => setAuthors(authorIds));
        writeStoredMutes(state.get().authors);
      },
    });
  });

  const refresh = async (): Promise<Owner[]> => (await sync.load()).refresh();

  return {
    state: state as Observable<MutesState>,

    open({ id, owner }: Pick<Post, 'id' | 'owner'>): void {
      const { authors, opened } = state.get();
      state.set({ authors, opened: new Map(opened).set(id, owner.id) });
    },

    /** Takes effect at once. A failure undoes it and shows a toast. */
    async change(authorId: string, muted: boolean): Promise<void> {
      try {
        (await sync.load()).change(authorId, muted);
      } catch (error) {
        showToast(explainLoading(error));
      }
    },

    /** Takes over the list as the server has just sent it. */
    adopt(users: readonly Pick<Owner, 'id'>[]): void {
      const ids = users.map(({ id }) => id);
      setAuthors(ids);
      writeStoredMutes(ids);
    },

    /** Loads the list from the server. */
    refresh,

    /** Loads the list from the server without delaying the page. Until then the stored list counts. */
    async refreshWhenIdle(): Promise<void> {
      await whenIdle(idleWithinMs);
      await refresh().catch(() => {});
    },

    /** Called once, in the browser. */
    start(): void {
      if (known) writeStoredMutes(known);
      onMutesElsewhere(() => setAuthors(readStoredMutes()));
      session.onEnd(() => {
        removePastMutes();
        setAuthors([]);
      });
    },
  };
}

export type Mutes = ReturnType<typeof createMutes>;

export function displayOf({ id, owner }: Pick<Post, 'id' | 'owner'>, { authors, opened }: MutesState): PostDisplay {
  if (!authors.has(owner.id)) return 'full';
  return opened.has(id) ? 'opened' : 'quiet';
}

export const [MutesProvider, useMutes] = createRequiredContext<Mutes>();

/** The ids of the muted authors. */
export const useMutedAuthors = (): ReadonlySet<string> => useObservable(useMutes().state, ({ authors }) => authors);

export const useMuted = (authorId: string | undefined): boolean =>
  useObservable(useMutes().state, ({ authors }) => authorId !== undefined && authors.has(authorId));

export const usePostDisplay = (post: Pick<Post, 'id' | 'owner'>): PostDisplay =>
  useObservable(useMutes().state, (state) => displayOf(post, state));

/** Whether an author is muted, and a function that changes it. Visitors are asked to sign in first. */
export function useMuteToggle(authorId: string) {
  const perform = usePerform();
  const mutes = useMutes();
  const isMuted = useMuted(authorId);
  const toggle = () => {
    if (isMuted) void mutes.change(authorId, false);
    else perform({ kind: 'mute', authorId });
  };
  return { isMuted, toggle };
}

/** Removes the rules that `mutedScript` has added, in the same render in which React leaves out the rows and shows the quiet lines. */
export function useRemoveMutedRules(): void {
  const mounted = useMounted();
  useLayoutEffect(() => {
    if (mounted) document.adoptedStyleSheets = [];
  }, [mounted]);
}
