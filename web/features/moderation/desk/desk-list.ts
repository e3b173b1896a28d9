import { explainError } from '../../../lib/api-error.ts';
import { createObservable, type Observable } from '../../../lib/observable.ts';

/** A page of a list, with `Facts` about the list as a whole. */
export type DeskPage<Item, Facts = object> = Facts & {
  items: readonly Item[];
  /** The cursor after the last item, null at the end. */
  next: string | null;
};

/** `failure`: why the next page could not be loaded, fit to show. */
type DeskListState<Item, Facts> = DeskPage<Item, Facts> & { loading: boolean; failure: string | null };

/** A list of the desk. It belongs to a visit of its page, so Back shows it as it was left. */
export function createDeskList<Item, Facts = object>(
  first: DeskPage<Item, Facts>,
  fetchPage: (cursor: string | null) => Promise<DeskPage<Item, Facts>>,
) {
  const state = createObservable<DeskListState<Item, Facts>>({ ...first, loading: false, failure: null });

  let running: Promise<void> = Promise.resolve();

  async function load(cursor: string | null): Promise<void> {
    state.set({ ...state.get(), loading: true, failure: null });
    try {
      const page = await fetchPage(cursor);
      // Items may have been changed since the request.
      const before = cursor === null ? [] : state.get().items;
      state.set({ ...page, items: [...before, ...page.items], loading: false, failure: null });
    } catch (error) {
      state.set({ ...state.get(), loading: false, failure: explainError(error) });
    }
  }

  return {
    state: state as Observable<DeskListState<Item, Facts>>,

    async more(): Promise<void> {
      if (!state.get().loading) await (running = load(state.get().next));
    },

    /** Loads the list from its beginning, after what is being loaded: that may lack what was just changed. */
    reload: (): Promise<void> => (running = running.then(() => load(null))),

    update(change: (items: readonly Item[]) => readonly Item[], facts?: Facts): void {
      state.set({ ...state.get(), ...facts, items: change(state.get().items) });
    },
  };
}

export type DeskList<Item, Facts = object> = ReturnType<typeof createDeskList<Item, Facts>>;
