import {
  type SubmitEvent,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { CarriedWall } from '#contract/carried.ts';
import { limits } from '#contract/limits.ts';
import { type Forms, plural } from '../lib/counts.ts';
import { listen, watchNear } from '../lib/watch.ts';
import sign from '../pages/sign.module.css';
import formField from '../ui/form-field.module.css';
import { BrickMark, Icon } from '../ui/icon.tsx';
import list from '../ui/list-page.module.css';
import { Notice } from '../ui/notice.tsx';
import { PersonNames } from '../ui/person-names.tsx';
import searchForm from '../ui/search-form.module.css';
import visuallyHidden from '../ui/visually-hidden.module.css';
import wallSign from '../ui/wall-sign.module.css';
import { ArchivedCard, ArchivedThread } from './archived-card.tsx';
import styles from './archive.module.css';
import { placeOf, readPlace } from './places.ts';
import type { Archive, ArchivedPost, FoundPosts } from './read-carried.ts';

const postForms: Forms = ['запись', 'записи', 'записей'];

const dates = new Intl.DateTimeFormat('ru', { day: 'numeric', month: 'long', year: 'numeric' });

/** Cards that a list shows at first, and adds when the reader comes to its end. */
const step = 60;

const hashes = {
  subscribe(changed: () => void) {
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  },
  now: () => location.hash,
};

/** The scroll position and the number of cards of the entries of the history. The browser cannot restore what has not been rendered. */
const seen = new Map<number, { y: number; shown?: number }>();
history.scrollRestoration = 'manual';

/** Each entry of the history has a number of its own. */
function entry(): number {
  if (typeof history.state !== 'number') history.replaceState(Date.now(), '');
  return history.state as number;
}

/** Scrolls to where the reader left this entry of the history. A new entry begins at the top or at `start`. */
function useSpot(isReady: boolean, start?: string): void {
  useLayoutEffect(() => {
    if (!isReady) return undefined;
    const id = entry();
    const left = seen.get(id);
    scrollTo(0, left?.y ?? 0);
    if (!left && start !== undefined) document.getElementById(start)?.scrollIntoView();
    const note = () => seen.set(id, { ...seen.get(id), y: scrollY });
    note();
    return listen(window, ['scroll'], note);
  }, [isReady, start]);
}

export function ArchiveApp({ wall, archive }: { wall: CarriedWall; archive: Archive }) {
  const [isWhole, setWhole] = useState(false);
  const [, showRead] = useReducer((times: number) => times + 1, 0);
  const hash = useSyncExternalStore(hashes.subscribe, hashes.now);
  const [kind, of] = readPlace(hash);
  const main = useRef<HTMLElement>(null);
  const came = useRef(hash);
  const query = kind === 'search' ? of : '';

  // The link that had the focus is gone with its page. After Back it is there again.
  useEffect(() => {
    if (hash === came.current) return;
    const link = main.current!.querySelector<HTMLElement>(`a[href=${JSON.stringify(came.current || placeOf.feed)}]`);
    came.current = hash;
    (link ?? main.current!).focus({ preventScroll: true });
  }, [hash]);

  useEffect(() => {
    void archive.read(showRead).then(() => setWhole(true));
  }, [archive]);

  return (
    <>
      <header>
        <div className={`${sign.bricks} ${styles.head}`}>
          <a href={placeOf.feed} className={sign.wall}>
            <span className={wallSign.mark} aria-hidden="true">
              {wall.mark ?? <BrickMark />}
            </span>
            <p dir="auto">
              <b>{wall.name}</b> {wall.line !== null && <span>{wall.line}</span>}
            </p>
          </a>
        </div>
        <SearchField key={query} query={query} />
        <p className={list.about}>
          Сохранено {dates.format(wall.at * 1_000).replace(/\sг\.$/, '')}, {plural(wall.posts, postForms)}
          {wall.of !== null && ` · записи ${wall.of} и обсуждения вокруг`}
        </p>
      </header>
      <main id="main" ref={main} tabIndex={-1} aria-busy={!isWhole}>
        <Shown key={hash} kind={kind} of={of} archive={archive} isWhole={isWhole} />
      </main>
    </>
  );
}

function SearchField({ query }: { query: string }) {
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('q') as string;
    location.hash = typed.trim() === '' ? placeOf.feed : placeOf.search(typed.trim());
  };
  return (
    <search>
      <form className={searchForm.form} onSubmit={find}>
        <input
          type="search"
          name="q"
          className={formField.input}
          defaultValue={query}
          placeholder="Найти в архиве"
          aria-label="Найти в архиве"
          maxLength={limits.searchLength}
          enterKeyHint="search"
        />
        <button type="submit" className={searchForm.submit}>
          <Icon name="search" />
          <span className={visuallyHidden.always}>Найти</span>
        </button>
      </form>
    </search>
  );
}

interface ShownProps {
  /** What is shown: the id of a post or a person, or a query. */
  of: string;
  archive: Archive;
  /** All parts have been read. */
  isWhole: boolean;
}

function Shown({ kind, ...shown }: ShownProps & { kind: string }) {
  if (kind === 'post') return <Discussion {...shown} />;
  if (kind === 'search') return <Found {...shown} />;
  const { of, archive, isWhole } = shown;
  const person = kind === 'person' ? archive.people.get(of) : undefined;
  return (
    <>
      {person ? (
        <h1 className={list.heading}>
          <PersonNames {...person} />
        </h1>
      ) : (
        <h1 className={visuallyHidden.always}>Записи</h1>
      )}
      <List posts={kind === 'person' ? archive.postsOf(of) : archive.roots} isWhole={isWhole} />
    </>
  );
}

/** Adds cards when the reader comes to the end. */
function List({ posts, isWhole }: { posts: readonly ArchivedPost[]; isWhole: boolean }) {
  const [shown, setShown] = useState(() => seen.get(entry())?.shown ?? step);
  const end = useRef<HTMLDivElement>(null);
  const isMore = posts.length > shown;
  useSpot(posts.length > 0);

  useEffect(() => {
    if (!isMore) return undefined;
    return watchNear(end.current!, 2, (isNear) => {
      if (!isNear) return;
      seen.set(entry(), { y: scrollY, shown: shown + step });
      setShown(shown + step);
    });
  }, [shown, isMore]);

  if (posts.length === 0) return isWhole ? <Notice title="Записи не найдены" /> : <Reading />;
  return (
    <>
      {posts.slice(0, shown).map((post) => (
        <ArchivedCard key={post.id} post={post} kind="list" />
      ))}
      {isMore && <div ref={end} className={styles.more} />}
    </>
  );
}

const Reading = () => (
  <p className={list.about} role="status">
    Читаем файл…
  </p>
);

function Found({ archive, of, isWhole }: ShownProps) {
  const [found, setFound] = useState<FoundPosts>({ posts: [], isAll: false });
  useEffect(() => {
    const leaving = new AbortController();
    void archive.find(of, setFound, leaving.signal);
    return () => leaving.abort();
  }, [archive, of, isWhole]);
  const { posts } = found;
  const isAll = found.isAll && isWhole;
  return (
    <>
      <h1 className={visuallyHidden.always}>Найденное</h1>
      <p className={list.about} role="status">
        {!isAll && 'Ищем… '}
        {posts.length > 0 ? `Нашлось: ${plural(posts.length, postForms)}` : isAll && 'Ничего не нашлось'}
      </p>
      {posts.length > 0 && <List posts={posts} isWhole />}
    </>
  );
}

function Discussion({ archive, of, isWhole }: ShownProps) {
  const asked = archive.byId.get(of);
  const rootId = asked?.root ?? of;
  const root = archive.byId.get(rootId);
  // A root is older than its replies, so they have been read before it.
  const isRead = isWhole || root !== undefined;
  useSpot(isRead, of === rootId ? undefined : of);
  if (!isRead) return <Reading />;
  if (!asked) return <Notice title="В архиве этого нет" />;
  return (
    <>
      <h1 className={visuallyHidden.always}>Обсуждение</h1>
      {root ? <ArchivedCard post={root} kind="page" /> : <p className={list.about}>Запись удалена</p>}
      <ArchivedThread
        first={archive.firstRepliesOf(rootId)}
        size={archive.discussions.get(rootId)!.length - (root ? 1 : 0)}
        find={(parent) => archive.byId.get(parent)}
        asked={of}
      />
    </>
  );
}
