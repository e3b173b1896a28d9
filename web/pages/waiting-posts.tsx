import { addresses } from '#contract/addresses.ts';
import type { WaitingPost } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import { useHides } from '../features/mutes/mutes.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { useLoaded } from '../features/session/use-loaded.ts';
import { call } from '../lib/api.ts';
import { useObservable } from '../lib/observable.ts';
import { Face } from '../ui/face.tsx';
import styles from './waiting-posts.module.css';

let asked: Promise<WaitingPost[]> | undefined;

/** The list above the posts and the one in the right column share a request. */
const read = (): Promise<WaitingPost[]> =>
  (asked ??= call('GET /posts/waiting', {})
    .then(({ posts }) => posts)
    .finally(() => (asked = undefined)));

/** The first posts of newcomers without a reply. A post that gets a reply disappears at once. */
export function WaitingPosts({ isBeside = false }: { isBeside?: boolean | undefined }) {
  const { loaded } = useLoaded(read);
  const { content, post, posts } = usePostStore();
  const whyHidden = useHides();
  const all = loaded.is === 'here' ? loaded.value : [];
  const isWaiting = ({ id, owner_id: author, text }: WaitingPost) =>
    !whyHidden({ owner: { id: author }, text }) &&
    !posts.deleted.has(id) &&
    (post(id)?.actions.thread_count ?? 0) === 0;
  const shown = useObservable(content, () =>
    all
      .filter(isWaiting)
      .map(({ id }) => id)
      .join(' '),
  );
  const lines = all.filter(({ id }) => shown.split(' ').includes(id));
  if (lines.length === 0) return null;
  return (
    <section className={isBeside ? undefined : styles.above}>
      <h2>Ждут ответа</h2>
      <p className={styles.about}>Первые записи новичков</p>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <a href={addresses.post.href(line)} className={styles.line}>
              <Face of={line.owner} />
              <span className={styles.text} dir="auto">
                <bdi className={styles.name}>{shownName(line.owner)}</bdi> {line.text}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
