import { type ReactNode, useEffect, useId, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { useMounted } from '../../lib/observable.ts';
import { Button } from '../../ui/button.tsx';
import formField from '../../ui/form-field.module.css';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from '../../ui/search-form.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { usePerform } from '../session/actions.ts';
import type { Search } from './load-search.ts';
import searchHintsStyles from './search-hints.module.css';

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
  // The server knows neither the query of a page without data nor who is signed in.
  const hasResults = useMounted() ? !asksToSignIn : shown !== null && !shown.search.problem;

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
      {hasResults && isWord(q) && <FollowWord word={q} />}
      {asksToSignIn ? <SignInFirst problem={shown?.search.problem} /> : children}
    </>
  );
}

/** One word or tag, which can be followed. */
const isWord = (q: string): boolean => /^(?:#[\p{L}\p{N}_]+|[\p{L}\p{N}]+)$/u.test(q) && q.length <= limits.wordLength;

/** The page is the same for everyone, so the words of the person are on the page to which the link leads. */
const FollowWord = ({ word }: { word: string }) => (
  <p className={searchHintsStyles.follow}>
    <a href={addresses.following.href({}, { word })}>
      Следить за словом «<bdi>{word}</bdi>»
    </a>
  </p>
);

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
