import { useLayoutEffect } from 'react';
import type { Post } from '#contract/posts.ts';
import { createObservable, type Observable, useMounted, useObservable } from '../../lib/observable.ts';
import { explainLoading, onDemand } from '../../lib/on-demand.ts';
import { createRequiredContext } from '../../lib/required-context.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Session } from '../session/session.ts';
import { onMutesElsewhere, readStoredMutes, removePastMutes, writeStoredMutes } from './stored-mutes.ts';
import type { Hideable, WhyHidden } from './stored-words.ts';

const authorMuted: WhyHidden = ['автор ', 'скрыт'];

/** In a list of the kind `author` the author is shown even if muted. */
type WhyHiddenIn = (post: Hideable | null | undefined, kind?: string) => WhyHidden | null | undefined;

interface MutesState {
  /** The ids of the muted authors. */
  authors: ReadonlySet<string>;
  whyHidden: WhyHiddenIn;
  /** The posts whose quiet line has been opened, by their ids. */
  opened: ReadonlyMap<string, Hideable>;
}

const hiding = (authors: ReadonlySet<string>, word?: typeof hiddenWord): Omit<MutesState, 'opened'> => ({
  authors,
  whyHidden: (post, kind) =>
    post && (word?.(post) ?? (kind !== 'author' && authors.has(post.owner.id) ? authorMuted : null)),
});

/**
 * The authors whom the signed-in person has muted, the same in all tabs. `known`: their ids on a page that the server made for
 * this person. A page that is the same for everyone shows all authors.
 */
export function createMutes(session: Session, known?: readonly string[]) {
  const state = createObservable<MutesState>({ ...hiding(new Set(known)), opened: new Map() });
  setAuthors(known ?? readStoredMutes());

  function setAuthors(authorIds: Iterable<string>): void {
    const now = hiding(new Set(authorIds), globalThis.hiddenWord);
    const opened = [...state.get().opened].filter(([, post]) => now.whyHidden(post));
    state.set({ ...now, opened: new Map(opened) });
  }

  const sync = onDemand(async () => {
    const { createMutesSync } = await import('./mutes-sync.ts');
    return createMutesSync({ read: () => state.get().authors, set: setAuthors, session });
  });

  return {
    state: state as Observable<MutesState>,

    open(post: Pick<Post, 'id' | 'owner' | 'text'>): void {
      const now = state.get();
      state.set({ ...now, opened: new Map(now.opened).set(post.id, post) });
    },

    /** Takes effect at once. A failure undoes it and shows a toast. */
    change: (authorId: string, muted: boolean): Promise<void> =>
      sync.load().then(
        ({ change }) => change(authorId, muted),
        (error) => showToast(explainLoading(error)),
      ),

    /** The code that sends requests. It is loaded when it is needed. */
    sync,

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

export const [MutesProvider, useMutes] = createRequiredContext<Mutes>();

const useHiding = (): MutesState => useObservable(useMutes().state);

/** Returns a function that says why the person does not want to see a post; nothing for a post that is shown or unknown. */
export const useHides = (): WhyHiddenIn => useHiding().whyHidden;

/** The ids of the muted authors. */
export const useMutedAuthors = (): ReadonlySet<string> => useHiding().authors;

export const useOpened = (id: string): boolean => useHiding().opened.has(id);

export const useMuted = (authorId: string | undefined): boolean => useMutedAuthors().has(authorId!);

/** Removes the rules that `mutedScript` has added, in the same render in which React leaves out the rows and shows the quiet lines. */
export function useRemoveMutedRules(): void {
  const mounted = useMounted();
  useLayoutEffect(() => {
    if (mounted) document.adoptedStyleSheets = [];
  }, [mounted]);
}
