import { useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import { endApiToken, listApiTokens, type NewApiToken, type ApiToken } from '#contract/api-tokens.ts';
import { explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { showToast } from '../../lib/toasts.ts';
import { useOwnList } from '../session/use-loaded.ts';

const read = async (signal: AbortSignal) => (await call(listApiTokens, { signal })).tokens;

/** The signed-in person's tokens. One that is being ended leaves the list at once, and returns if that fails. */
export function useTokens() {
  const { state, retry, change } = useOwnList<ApiToken>(read);
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set());

  const end = async ({ id }: ApiToken) => {
    setEnded((ids) => new Set([...ids, id]));
    try {
      await call(endApiToken, { params: { id } });
      showToast('Токен завершён');
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return showToast('Этот токен уже был завершён');
      setEnded((ids) => new Set([...ids].filter((other) => other !== id)));
      showToast(explainError(error));
    }
  };

  const add = ({ token: _, ...made }: NewApiToken) => change((tokens) => [{ ...made, lastUsedAt: null }, ...tokens]);

  const shown = state.is === 'here' ? { ...state, items: state.items.filter(({ id }) => !ended.has(id)) } : state;
  return { state: shown, retry, add, end };
}
