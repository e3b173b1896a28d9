import { useEffect, useId, useState } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { usernameTip } from '#contract/username-problem.ts';
import { useSession } from '../session/session.ts';
import { StepForm } from '../sign-in/step-form.tsx';
import { listen } from '../../lib/listen.ts';
import { useObservable } from '../../lib/observable.ts';
import { Button } from '../../ui/button.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPage, returnToSettings } from './form-page.tsx';
import { createUsernameFlow, hasFailed, usernameNotes } from './username-flow.ts';

export function UsernamePage({ user }: { user: CurrentUser }) {
  const session = useSession();
  const [titleId, tipId] = [useId(), useId()];
  const [flow] = useState(() =>
    createUsernameFlow({
      current: user.username,
      onSaved: (renamed) => {
        session.changeUser(renamed);
        returnToSettings('Имя изменено');
      },
    }),
  );
  const state = useObservable(flow.state);
  const { username, check, saving, error } = state;
  const isChecking = check === 'in-progress';

  useEffect(() => listen(window, ['online'], () => void flow.checkAgain()), [flow]);
  useEffect(() => flow.stop, [flow]);

  const tip = (
    <>
      {usernameTip} <a href={addresses.settingsProfile.href()}>Имя любыми буквами</a>
    </>
  );
  return (
    <FormPage title="Задать имя пользователя" titleId={titleId}>
      <StepForm tip={tip} tipId={tipId} labelledBy={titleId} onSubmit={() => flow.save()}>
        <FormField
          label="Имя пользователя"
          error={error}
          note={usernameNotes[check]}
          describedBy={tipId}
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          value={username}
          readOnly={saving}
          onChange={(event) => flow.setUsername(event.target.value)}
        />
        <Button
          type="submit"
          variant="primary"
          disabled={check !== 'verified' && !isChecking && !hasFailed(state)}
          busy={saving || isChecking}
        >
          Сохранить
        </Button>
      </StepForm>
    </FormPage>
  );
}
