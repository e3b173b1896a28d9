import { useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { type NewApiToken, startApiToken, verifyApiToken } from '#contract/api-tokens.ts';
import type { CurrentUser } from '#contract/account.ts';
import { call } from '../../lib/api.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { ConfirmationPage, useConfirmation } from '../account/confirmation-page.tsx';
import { scopes } from './scopes.ts';

interface NewTokenFormProps {
  user: CurrentUser;
  onMade: (made: NewApiToken) => void;
}

type Draft = Pick<NewApiToken, 'name' | 'scope'>;

/** Asks what to make, then for the code that makes it. */
export function NewTokenForm({ user, onMade }: NewTokenFormProps) {
  const key = `token of ${user.id}`;
  const { draft, change, forget } = useDraft(`draft of ${key}`);
  const confirmation = useConfirmation({
    key,
    email: user.email,
    start: ({ clientToken }) => call(startApiToken, { body: { clientToken } }),
    verify: ({ id }, body) => call(verifyApiToken, { params: { id }, body: { ...body, ...draft.current } }),
    onConfirmed: (made) => {
      forget();
      onMade(made);
    },
  });
  const { state, tipId } = confirmation;
  const tip = (
    <>
      Чтобы никто чужой не создал токен вместо вас, понадобится код: пришлём его на <b>{user.email}</b>.
    </>
  );
  const isBusy = state.busy !== null;
  return (
    <ConfirmationPage {...confirmation} title="Создать токен" tip={tip} action="Создать токен" leaving="Вернуться">
      <FormField
        label="Название"
        note="Чтобы узнать его в списке: например, «бот погоды»."
        // The address is known to be right, so what the server rejects is the name.
        error={state.rejected ? state.error : null}
        value={draft.current.name}
        maxLength={limits.tokenNameLength}
        readOnly={isBusy}
        onChange={(event) => change({ name: event.target.value })}
      />
      <RadioGroup
        legend="Что можно программе"
        choices={scopes}
        chosen={draft.current.scope}
        disabled={isBusy}
        onChoose={(id) => change({ scope: scopes.find((scope) => scope.id === id)!.id })}
      />
      <FormError>{state.rejected ? null : state.error}</FormError>
      <Button
        type="submit"
        variant="primary"
        aria-describedby={tipId}
        disabled={draft.current.name.trim() === ''}
        busy={isBusy}
      >
        Получить код
      </Button>
    </ConfirmationPage>
  );
}

/** The entered values. The tab stores them, because a reload returns to the code. */
function useDraft(key: string) {
  const [, setChanges] = useState(0);
  const draft = useRef<Draft>(null!);
  draft.current ??= JSON.parse(readStored('sessionStorage', key) ?? '{"name":"","scope":"read"}') as Draft;

  const change = (part: Partial<Draft>) => {
    draft.current = { ...draft.current, ...part };
    writeStored('sessionStorage', key, JSON.stringify(draft.current));
    setChanges((count) => count + 1);
  };
  return { draft, change, forget: () => removeStored('sessionStorage', key) };
}
