import { useEffect, useId, useRef, useState } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { normalizeDisplayName } from '#contract/profile-text.ts';
import { hasForeignLetters, isGeneratedUsername } from '#contract/username.ts';
import { useObservable } from '../../lib/observable.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { useSession } from '../session/session.ts';
import { StepForm } from '../sign-in/step-form.tsx';
import { offeredUsername } from './offered-username.ts';
import { createUsernameFlow, usernameNotes } from './username-flow.ts';

const skippedKey = ({ id }: CurrentUser): string => `name-offer declined by ${id}`;

/** Whether a person has chosen no name yet and has not skipped the question. */
export const lacksName = (user: CurrentUser): boolean =>
  isGeneratedUsername(user.username) &&
  user.display_name === null &&
  readStored('localStorage', skippedKey(user)) === null;

interface NameStepProps {
  user: CurrentUser;
  /** Called when the names are saved, or the question was skipped. */
  onDone: () => void;
}

/** Asks for the names before the first post. */
export function NameStep({ user, onDone }: NameStepProps) {
  const session = useSession();
  const tipId = useId();
  const form = useRef<HTMLDivElement>(null);
  const [name, setName] = useState('');
  const [isNameTyped, setIsNameTyped] = useState(false);
  const [flow] = useState(() =>
    createUsernameFlow({
      current: user.username,
      onSaved: (named) => {
        session.changeUser(named);
        onDone();
      },
    }),
  );
  const { username, check, saving, error } = useObservable(flow.state);
  const line = normalizeDisplayName(name);
  const display_name = line.ok ? line.text : null;
  const isOwn = username === user.username;

  useEffect(() => {
    form.current!.querySelector('input')!.focus();
    const offered = offeredUsername(user.email);
    if (offered !== undefined) void flow.offer(offered);
    return flow.stop;
  }, [flow, user.email]);

  const typeUsername = (text: string) => {
    flow.setUsername(text);
    // It is meant as the name in one's own alphabet.
    if (!isNameTyped && hasForeignLetters(text)) setName(text.slice(0, 1).toUpperCase() + text.slice(1));
  };
  const skip = () => {
    writeStored('localStorage', skippedKey(user), new Date().toISOString());
    onDone();
  };
  return (
    <div ref={form}>
      <StepForm
        purpose="Как вас называть?"
        tip="Имя пишется любыми буквами. По имени пользователя вас находят и упоминают."
        tipId={tipId}
        onSubmit={() => flow.save(display_name === null ? {} : { display_name })}
      >
        <FormField
          label="Имя"
          error={line.ok ? null : line.reason}
          describedBy={tipId}
          autoComplete="name"
          value={name}
          readOnly={saving}
          onChange={(event) => {
            setIsNameTyped(true);
            setName(event.target.value);
          }}
        />
        <FormField
          label="Имя пользователя"
          error={error}
          note={usernameNotes[check]}
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          value={username}
          readOnly={saving}
          onChange={(event) => typeUsername(event.target.value)}
        />
        <DialogButtons>
          <Button disabled={saving} onClick={skip}>
            Пропустить
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={!line.ok || (isOwn ? display_name === null : check !== 'verified')}
            busy={saving}
          >
            Сохранить и опубликовать
          </Button>
        </DialogButtons>
      </StepForm>
    </div>
  );
}
