import type { Aside } from '#contract/posts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { useHides, useMutedAuthors } from '../../mutes/mutes.ts';
import { usePostStore } from '../store/use-posts.ts';

export type Line = Aside['discussed' | 'following'][number];

export const authorsOf = (line: Line): string[] =>
  'lifted_by' in line ? [line.owner_id, line.lifted_by] : [line.owner_id];

/** Returns a function that leaves out the lines of deleted posts, of muted authors and with hidden words in the right column. */
export function useShownLines(): <Item extends Line>(all: readonly Item[]) => Item[] {
  const { content, posts } = usePostStore();
  const muted = useMutedAuthors();
  const whyHidden = useHides();
  useObservable(content, () => posts.deleted.size);
  return (all) =>
    all.filter(
      (line) =>
        !posts.deleted.has(line.id) &&
        !authorsOf(line).some((id) => muted.has(id)) &&
        !whyHidden({ owner: { id: line.owner_id }, text: line.text }),
    );
}
