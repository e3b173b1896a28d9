import { changeProfile, checkUsername, type CurrentUser } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { usernameProblem } from '#contract/username-problem.ts';
import { hasForeignLetters } from '#contract/username.ts';
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

const foreignLetters = 'Введите корректное имя пользователя: латинскими буквами';

/** The notes beside the field. */
export const usernameNotes: Record<UsernameState['check'], string | null> = {
  waiting: null,
  'in-progress': 'Проверка имени пользователя...',
  verified: 'Имя пользователя свободно',
  unverified: null,
};

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
      const problem = isOwn ? null : hasForeignLetters(username) ? foreignLetters : usernameProblem(username);
      change({ username, check: problem === null ? 'waiting' : 'unverified', error: problem });
      if (!isOwn && problem === null) timer = setTimeout(() => void ask(), limits.usernameCheckMs);
    },

    /** Called when the network is back: repeats a check that failed. */
    checkAgain,

    /** Puts a name into the field if it is free and nothing has been typed yet. */
    async offer(username: string): Promise<void> {
      const isFree = await call(checkUsername, { params: { username } }).then(
        () => true,
        () => false,
      );
      if (isFree && state.get().username === current) change({ username, check: 'verified', error: null });
    },

    /** Saves a free name and further lines. After a check that failed, checks the name again instead. */
    async save(lines: { display_name?: string } = {}): Promise<void> {
      const { username, check, saving } = state.get();
      const isOwn = username === current;
      if (isOwn ? lines.display_name === undefined : check !== 'verified') return checkAgain();
      if (saving) return;
      change({ saving: true, error: null });
      try {
        // The form stays busy until the page is left.
        onSaved(await call(changeProfile, { body: isOwn ? lines : { username, ...lines } }));
      } catch (error) {
        change({ saving: false, check: isRefusal(error) ? 'unverified' : check, error: explainError(error) });
      }
    },

    stop,
  };
}

/** Whether the check got no response about the name. */
export const hasFailed = ({ check, error }: UsernameState): boolean => check === 'waiting' && error !== null;

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 400;
