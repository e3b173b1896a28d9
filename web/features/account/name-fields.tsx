import { useEffect, useRef, useState } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import type { TypesOf } from '#contract/call.ts';
import { limits } from '#contract/limits.ts';
import { normalizeDisplayName } from '#contract/profile-text.ts';
import { faces } from '../../forms/emoji-choices.ts';
import emoji from '../../forms/emoji-field.module.css';
import { Field } from '../../forms/fields.tsx';
import formStyles from '../../forms/form.module.css';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import radio from '../../ui/radio-group.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import styles from './name-fields.module.css';

interface NameFieldProps {
  user: Pick<CurrentUser, 'display_name'>;
  label: string;
  /** The form cannot be sent without a name. An empty field shows no error. */
  isRequired?: boolean;
  takesFocus?: boolean;
}

/**
 * The field for the name in any alphabet. While the person types, the server says whether somebody has the name, and which username it
 * gives. Both are advice: the form can be sent before the answer and against it.
 */
export function NameField({ user, label, isRequired = false, takesFocus = false }: NameFieldProps) {
  const own = user.display_name ?? '';
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(own);
  const found = useCheckedName(typed, own);
  const judge = (text: string) => {
    const line = normalizeDisplayName(text);
    return line.ok ? { isGood: !isRequired || line.text !== null } : { isGood: false, error: line.reason };
  };
  const fill = (name: string) => {
    const field = box.current!.querySelector<HTMLInputElement>('[name="display_name"]')!;
    field.value = name;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  };
  return (
    <div
      ref={box}
      className={styles.name}
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement && target.name === 'display_name') setTyped(target.value);
      }}
    >
      <Field name="display_name" label={label} value={own} autoComplete="name" takesFocus={takesFocus} check={judge} />
      <div role="status" className={formStyles.note}>
        {found?.is_taken && (
          <>
            <p>
              {typed.trim()} на этой стене уже есть.
              {found.suggestion !== null && ` Добавьте, чем вы отличаетесь: «${found.suggestion}»`}
            </p>
            {found.suggestion !== null && <Button onClick={() => fill(found.suggestion!)}>{found.suggestion}</Button>}
          </>
        )}
        {found?.username && (
          <p>
            Упоминать вас будут так: <bdi>@{found.username}</bdi>
          </p>
        )}
      </div>
      {found?.username && (
        <details key={found.username} className={styles.own}>
          <summary>Выбрать другое</summary>
          <Field
            name="username"
            label="Имя пользователя"
            value={found.username}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
          />
        </details>
      )}
    </div>
  );
}

type Checked = TypesOf<typeof import('#contract/account.ts').accountCalls>['GET /users/current/name']['reply'];

/** The server's answer about a name that differs from the person's own, after a pause in typing. Null until it is known, and on failure. */
function useCheckedName(typed: string, own: string): Checked | null {
  const [known, setKnown] = useState<{ of: string; found: Checked } | null>(null);
  const name = typed.trim();
  const isWanted = name !== '' && name !== own;
  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      call('GET /users/current/name', { query: { display_name: name }, signal: abort.signal }).then(
        (found) => setKnown({ of: name, found }),
        () => {},
      );
    }, limits.usernameCheckMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [name, isWanted]);
  return isWanted && known?.of === name ? known.found : null;
}

const offered = ['🦊', '🐻', '🦉', '🌻', '🚲', '🗻'];
const tiles = faces.filter(([face]) => offered.includes(face));

/** Six faces to choose from. None has to be chosen. */
export const FaceTiles = () => (
  <fieldset className={`${radio.group} ${styles.tiles}`}>
    <legend className={visuallyHidden.always}>Значок</legend>
    {tiles.map(([face, words]) => (
      // The <div> gives each choice a line of its own in text browsers.
      <div key={face}>
        <label className={emoji.choice}>
          <input type="radio" name="face" value={face} className={emoji.radio} aria-label={words} />{' '}
          <span className={emoji.emoji}>{face}</span>
        </label>
      </div>
    ))}
  </fieldset>
);
