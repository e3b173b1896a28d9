import { changeProfile, checkUsername, type CurrentUser } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { usernameProblem } from '#contract/username.ts';
import { ApiError, explainError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';

export interface UsernameState {
  username: string;
  /** How far the check of it has come. */
  check: 'waiting' | 'in-progress' | 'verified' | 'unverified';
  saving: boolean;
  error: string | null;
}

interface UsernameFlowOptions {
  current: string;
  onSaved: (user: CurrentUser) => void;
}

/** The choice of a name, checked while it is typed. */
export function createUsernameFlow({ current, onSaved }: UsernameFlowOptions) {
  const listeners = new Set<() => void>();
  let state: UsernameState = { username: current, check: 'waiting', saving: false, error: null };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();

  function change(part: Partial<UsernameState>): void {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }

  function stop(): void {
    clearTimeout(timer);
    asking.abort();
  }

  async function ask(): Promise<void> {
    stop();
    asking = new AbortController();
    const { signal } = asking;
    change({ check: 'in-progress', error: null });
    try {
      await call(checkUsername, { params: { username: state.username }, signal });
      if (!signal.aborted) change({ check: 'verified' });
    } catch (error) {
      if (signal.aborted) return;
      change({ check: isRefusal(error) ? 'unverified' : 'waiting', error: explainError(error) });
    }
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    state: (): UsernameState => state,

    setUsername(text: string): void {
      const username = text.trim();
      if (state.saving || username === state.username) return;
      stop();
      const isOwn = username === current;
      const problem = isOwn ? null : usernameProblem(username);
      change({ username, check: problem === null ? 'waiting' : 'unverified', error: problem });
      if (!isOwn && problem === null) timer = setTimeout(() => void ask(), limits.usernameCheckMs);
    },

    /** The network is back: what could not be found out may be now. */
    async checkAgain(): Promise<void> {
      if (state.check === 'waiting' && state.error !== null) await ask();
    },

    async save(): Promise<void> {
      if (state.check !== 'verified' || state.saving) return;
      change({ saving: true, error: null });
      try {
        // Busy until the page is left.
        onSaved(await call(changeProfile, { body: { username: state.username } }));
      } catch (error) {
        change({ saving: false, check: isRefusal(error) ? 'unverified' : 'verified', error: explainError(error) });
      }
    },

    stop,
  };
}

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 400;
