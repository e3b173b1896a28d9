import { type ReactNode, useEffect, useId, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import '../features/search/highlighted.module.css';
import '../features/search/living-talks.module.css';
import type { Search } from '../features/search/load-found.ts';
import styles from '../features/search/search-frame.module.css';
import '../features/search/search-hints.module.css';
import '../features/search/search-results.module.css';
import { usePerform } from '../features/session/actions.ts';
import { onDemand } from '../lib/on-demand.ts';
import type { Page } from '../router/page.ts';
import { Button } from '../ui/button.tsx';
import formField from '../ui/form-field.module.css';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import visuallyHidden from '../ui/visually-hidden.module.css';
import { notFound } from './not-found.tsx';

interface SearchFrameProps {
  shown: { search: Search } | null;
  isAsked: boolean;
  children: ReactNode;
}

/** The field, above whatever the page shows. Without JavaScript, too, its form leads to the results. */
function SearchFrame({ shown, isAsked, children }: SearchFrameProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  /** The query sent last: its results leave the field alone, because the reader may be typing on. */
  const sent = useRef<string>(null);
  const q = shown?.search.q ?? queryOfAddress();

  useEffect(() => {
    const input = field.current!;
    if (sent.current !== q && input.value.trim() !== q) input.value = q;
    sent.current = null;
    if (q !== '') return undefined;
    // After the router, which moves the focus to the new page.
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
      {isAsked ? <SignInFirst problem={shown?.search.problem} /> : children}
    </>
  );
}

/** While a page is loading its address is already that of the window. */
function queryOfAddress(): string {
  if (import.meta.env.SSR) return '';
  return new URLSearchParams(location.search).get('q')?.trim() ?? '';
}

const membersOnly = { title: 'Поиск — для тех, кто вошёл', text: 'Войдите, чтобы искать записи.' };

/** The server finds posts for members only, or for nobody else just now. */
function SignInFirst({ problem = membersOnly }: { problem: Search['problem'] }) {
  const perform = usePerform();
  const signIn = (
    <Button variant="primary" onClick={() => perform({ kind: 'visit' })}>
      Войти
    </Button>
  );
  return <Notice {...problem} action={signIn} />;
}

// The server's HTML of the results has no other styles than those of the first load.

const heading = 'Поиск';

/** What is below the field. It is not part of the first load. */
const part = onDemand(async () => {
  const [{ loadFound }, { SearchResults }] = await Promise.all([
    import('../features/search/load-found.ts'),
    import('../features/search/search-results.tsx'),
  ]);
  return { loadFound, SearchResults };
});

/** A field and the posts that match what is in it. */
export const search: Page<object, { search: Search; list?: PostListId }> = {
  address: addresses.search,
  access: 'public',
  offers: 'искать записи и ответы',
  load: async (_, request) => (await part.load()).loadFound(request),
  missing: notFound,
  describe(_, shown) {
    const q = shown?.search.q;
    return { heading, ...(q && { title: `${excerpt(q, limits.titleLength)}: поиск` }) };
  },
  Component(props) {
    const { SearchResults } = part.here()!;
    return <SearchResults {...props} />;
  },
  Frame: SearchFrame,
  prefetch: part.load,
};
