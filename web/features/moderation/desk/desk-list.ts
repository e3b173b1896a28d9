import { explainError } from '../../../lib/api-error.ts';
import { createObservable, type Observable } from '../../../lib/observable.ts';

interface DeskPage<Item> {
  items: readonly Item[];
  /** The cursor after the last item, null at the end. */
  next: string | null;
}

interface DeskListState<Item> extends DeskPage<Item> {
  loading: boolean;
  /** Why the next page could not be loaded, fit to show. */
  failure: string | null;
}

/** A list of the desk. It belongs to a visit of its page, so Back shows it as it was left. */
export function createDeskList<Item>(
  first: DeskPage<Item>,
  fetchPage: (cursor: string | null) => Promise<DeskPage<Item>>,
) {
  const state = createObservable<DeskListState<Item>>({ ...first, loading: false, failure: null });

  let running: Promise<void> = Promise.resolve();

  async function load(cursor: string | null): Promise<void> {
    state.set({ ...state.get(), loading: true, failure: null });
    try {
      const { items, next } = await fetchPage(cursor);
      // Items may have been changed since the request.
      const before = cursor === null ? [] : state.get().items;
      state.set({ items: [...before, ...items], next, loading: false, failure: null });
    } catch (error) {
      state.set({ ...state.get(), loading: false, failure: explainError(error) });
    }
  }

  return {
    state: state as Observable<DeskListState<Item>>,

    async more(): Promise<void> {
      if (!state.get().loading) await (running = load(state.get().next));
    },

    /** Loads the list from its beginning, after what is being loaded: that may lack what was just changed. */
    reload: (): Promise<void> => (running = running.then(() => load(null))),

    update(change: (items: readonly Item[]) => readonly Item[]): void {
      state.set({ ...state.get(), items: change(state.get().items) });
    },
  };
}

export type DeskList<Item> = ReturnType<typeof createDeskList<Item>>;
