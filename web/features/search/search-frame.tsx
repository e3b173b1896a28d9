import { type ReactNode, useEffect, useId, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { Button } from '../../ui/button.tsx';
import formField from '../../ui/form-field.module.css';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from '../../ui/search-form.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { usePerform } from '../session/actions.ts';
import type { Search } from './load-search.ts';

export interface SearchFrameProps {
  shown: { search: Search } | null;
  asksToSignIn: boolean;
  children: ReactNode;
}

/** The search field above the content of the page. Its form leads to the results without JavaScript as well. */
export function SearchFrame({ shown, asksToSignIn, children }: SearchFrameProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  /** The query sent last. Its results do not change the field, because the reader may still be typing. */
  const sent = useRef<string>(null);
  const q = shown?.search.q ?? queryOfAddress();

  useEffect(() => {
    const input = field.current!;
    if (sent.current !== q && input.value.trim() !== q) input.value = q;
    sent.current = null;
    if (q !== '') return undefined;
    // A frame later, because the router first moves the focus to the new page.
    const frame = requestAnimationFrame(() => input.focus());
    return () => cancelAnimationFrame(frame);
  }, [q]);

  return (
    <>
      <search>
        <form
          method="get"
          action={addresses.search.href()}
          className={styles.form}
          onSubmit={() => {
            sent.current = field.current!.value.trim();
          }}
        >
          <label htmlFor={id} className={visuallyHidden.always}>
            Поиск по записям
          </label>
          <input
            ref={field}
            id={id}
            type="search"
            name="q"
            className={formField.input}
            defaultValue={q}
            placeholder="Слова, автор, даты"
            maxLength={limits.searchLength}
            enterKeyHint="search"
            aria-keyshortcuts="/"
          />
          <button type="submit" className={styles.submit}>
            <Icon name="search" />
            <span className={visuallyHidden.always}>Найти</span>
          </button>
        </form>
      </search>
      {asksToSignIn ? <SignInFirst problem={shown?.search.problem} /> : children}
    </>
  );
}

/** The query in the window's address, which is that of the new page while the page is loading. */
function queryOfAddress(): string {
  if (import.meta.env.SSR) return '';
  return new URLSearchParams(location.search).get('q')?.trim() ?? '';
}

const membersOnly = { title: 'Поиск — для тех, кто вошёл', text: 'Войдите, чтобы искать записи.' };

/** The server searches for members only: always, or while visitors send too many requests. */
function SignInFirst({ problem = membersOnly }: { problem: Search['problem'] }) {
  const perform = usePerform();
  const signIn = (
    <Button variant="primary" onClick={() => perform({ kind: 'visit' })}>
      Войти
    </Button>
  );
  return <Notice {...problem} action={signIn} />;
}
