import { changeProfile, checkUsername, type CurrentUser } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { usernameProblem } from '#contract/username-problem.ts';
import { ApiError } from '#client/api-error.ts';
import { explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { createObservable, type Observable } from '../../lib/observable.ts';

export interface UsernameState {
  username: string;
  check: 'waiting' | 'in-progress' | 'verified' | 'unverified';
  saving: boolean;
  error: string | null;
}

interface UsernameFlowOptions {
  current: string;
  onSaved: (user: CurrentUser) => void;
}

/** The form for a new name, which is checked while it is typed. */
export function createUsernameFlow({ current, onSaved }: UsernameFlowOptions) {
  const state = createObservable<UsernameState>({ username: current, check: 'waiting', saving: false, error: null });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();

  const change = (part: Partial<UsernameState>): void => state.set({ ...state.get(), ...part });

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
      await call(checkUsername, { params: { username: state.get().username }, signal });
      if (!signal.aborted) change({ check: 'verified' });
    } catch (error) {
      if (signal.aborted) return;
      change({ check: isRefusal(error) ? 'unverified' : 'waiting', error: explainError(error) });
    }
  }

  async function checkAgain(): Promise<void> {
    if (hasFailed(state.get())) await ask();
  }

  return {
    state: state as Observable<UsernameState>,

    setUsername(text: string): void {
      const username = text.trim();
      const { username: previous, saving } = state.get();
      if (saving || username === previous) return;
      stop();
      const isOwn = username === current;
      const problem = isOwn ? null : usernameProblem(username);
      change({ username, check: problem === null ? 'waiting' : 'unverified', error: problem });
      if (!isOwn && problem === null) timer = setTimeout(() => void ask(), limits.usernameCheckMs);
    },

    /** Called when the network is back: repeats a check that failed. */
    checkAgain,

    /** Saves a free name. After a check that failed, checks the name again instead. */
    async save(): Promise<void> {
      const { username, check, saving } = state.get();
      if (check !== 'verified') return checkAgain();
      if (saving) return;
      change({ saving: true, error: null });
      try {
        // The form stays busy until the page is left.
        onSaved(await call(changeProfile, { body: { username } }));
      } catch (error) {
        change({ saving: false, check: isRefusal(error) ? 'unverified' : 'verified', error: explainError(error) });
      }
    },

    stop,
  };
}

/** Whether the check got no response about the name. */
export const hasFailed = ({ check, error }: UsernameState): boolean => check === 'waiting' && error !== null;

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 400;
