import { useId, useState } from 'react';
import { changeProfile, type CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { normalizeAbout, normalizeDisplayName, type ProfileLine } from '#contract/profile-text.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { useRequest } from '../session/use-request.ts';
import { useSession } from '../session/session.ts';
import { StepForm } from '../sign-in/step-form.tsx';
import { FormPage, returnToSettings } from './form-page.tsx';

const problemOf = (line: ProfileLine): string | null => (line.ok ? null : line.reason);

/** The name in any alphabet, and one line about oneself. */
export function ProfilePage({ user }: { user: CurrentUser }) {
  const session = useSession();
  const [titleId, tipId] = [useId(), useId()];
  const [name, setName] = useState(user.display_name ?? '');
  const [about, setAbout] = useState(user.about ?? '');
  const { busy, error, send } = useRequest();
  const [nameLine, aboutLine] = [normalizeDisplayName(name), normalizeAbout(about)];

  const save = async () => {
    if (!nameLine.ok || !aboutLine.ok) return;
    const body = { display_name: nameLine.text, about: aboutLine.text };
    await send(async () => {
      session.changeUser(await call(changeProfile, { body }));
      returnToSettings('Сохранено');
    });
  };

  const tip = (
    <>
      Имя пишется любыми буквами. Рядом с ним всегда видно <bdi>@{user.username}</bdi>:{' '}
      <a href={addresses.settingsUsername.href()}>изменить имя пользователя</a>.
    </>
  );
  return (
    <FormPage title="Имя и о себе" titleId={titleId}>
      <StepForm tip={tip} tipId={tipId} labelledBy={titleId} onSubmit={save}>
        <FormField
          label="Имя"
          error={problemOf(nameLine)}
          describedBy={tipId}
          autoComplete="name"
          value={name}
          readOnly={busy}
          onChange={(event) => setName(event.target.value)}
        />
        <FormField
          label="О себе"
          error={problemOf(aboutLine)}
          value={about}
          readOnly={busy}
          onChange={(event) => setAbout(event.target.value)}
        />
        <FormError>{error}</FormError>
        <Button type="submit" variant="primary" disabled={!nameLine.ok || !aboutLine.ok} busy={busy}>
          Сохранить
        </Button>
      </StepForm>
    </FormPage>
  );
}
