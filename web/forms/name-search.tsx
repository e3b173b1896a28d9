import { useId } from 'react';
import { limits } from '#contract/limits.ts';
import formField from '../ui/form-field.module.css';
import { Icon } from '../ui/icon.tsx';
import styles from '../ui/search-form.module.css';
import visuallyHidden from '../ui/visually-hidden.module.css';

/** The beginning of a name in the query of an address. */
export const nameIn = (query: URLSearchParams): string => query.get('q')?.trim() ?? '';

interface NameSearchProps {
  /** The page with the list of people. */
  action: string;
  q: string;
}

/** A search for people by the beginning of a name. */
export function NameSearch({ action, q }: NameSearchProps) {
  const id = useId();
  return (
    <search>
      <form method="get" action={action} className={styles.form}>
        {/* Text browsers show it on a line of its own. */}
        <div className={visuallyHidden.always}>
          <label htmlFor={id}>Начало имени</label>
        </div>
        <input
          id={id}
          type="search"
          name="q"
          className={formField.input}
          defaultValue={q}
          placeholder="Начало имени"
          maxLength={limits.usernameMax}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
        />
        <button type="submit" className={styles.submit}>
          <Icon name="search" />
          <span className={visuallyHidden.always}>Найти</span>
        </button>
      </form>
    </search>
  );
}
