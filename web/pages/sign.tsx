import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { Owner } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import { useMutedAuthors } from '../features/mutes/mutes.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList, usePostStore } from '../features/posts/store/use-posts.ts';
import { nameOf, useClientSettings } from '../lib/client-settings.ts';
import { Face } from '../ui/face.tsx';
import { WallMark } from '../ui/wall-sign.tsx';
import styles from './sign.module.css';

/**
 * The sign above the feed: whose wall this is, and who writes here. The HTML for everybody contains it; styles hide it from
 * members, whose header has the name. `list` is null until it is loaded.
 */
export function Sign({ list }: { list: PostListId | null }) {
  return (
    <section className={`${styles.bricks} ${styles.sign}`} aria-label="Чья это стена">
      <SignLine />
      <div className={styles.people}>
        {list !== null && <WritersOfList list={list} />}{' '}
        <a href={addresses.wallText.href({ name: 'about' })} className={styles.about}>
          О стене
        </a>
      </div>
    </section>
  );
}

/** The mark, the name and the line of the wall. */
export function SignLine() {
  const settings = useClientSettings();
  const { line, intro = 'Лента коротких записей. Читать может каждый.' } = settings;
  const name = nameOf(settings);
  return (
    <div className={styles.wall}>
      <WallMark />
      <p dir="auto">
        {name && <b>{name}</b>} <span>{line ?? intro}</span>
      </p>
    </div>
  );
}

const facesAtMost = 4;
const namesAtMost = 3;
/** More letters of names than this would take a second line on a phone. */
const lettersAtMost = 26;

/** The authors of the latest posts and last replies on the first page of the list. */
function WritersOfList({ list }: { list: PostListId }) {
  const { ids } = usePostList(list);
  const store = usePostStore();
  const muted = useMutedAuthors();
  const posts = ids.slice(0, limits.pageSize).flatMap((id) => store.post(id) ?? []);
  const written = posts.flatMap((post) => (post.last_reply ? [post, post.last_reply] : [post]));
  const writers = new Map<string, Owner>();
  for (const { owner } of written.toSorted((a, b) => b.created_at - a.created_at)) {
    if (!muted.has(owner.id) && writers.size < facesAtMost) writers.set(owner.id, owner);
  }
  if (writers.size === 0) return null;
  return <Writers owners={[...writers.values()]} />;
}

/** The faces of people and the names of the first of them. */
export function Writers({ owners, isInvitation = false }: { owners: readonly Owner[]; isInvitation?: boolean }) {
  const names = owners.slice(0, namesAtMost).map(shownName);
  while (names.length > 1 && names.join(', ').length > lettersAtMost) names.pop();
  const write = owners.length > 1 ? 'пишут' : 'пишет';
  return (
    <>
      <span className={styles.faces}>
        {owners.map((owner) => (
          <Face key={owner.id} of={owner} />
        ))}
      </span>
      <span className={styles.names} dir="auto">
        {isInvitation ? `Здесь уже ${write}` : write.replace('п', 'П')} {names.join(', ')}
      </span>
    </>
  );
}
