import { useLayoutEffect, useMemo } from 'react';
import { limits } from '#contract/limits.ts';
import type { Post, QuotedPost } from '#contract/posts.ts';
import { useObservable } from '../../lib/observable.ts';
import { createRequiredContext } from '../../lib/required-context.ts';
import { useHides } from '../mutes/mutes.ts';
import type { PostListSource } from '../posts/store/post-list-state.ts';
import type { PostListId } from '../posts/store/post-store.ts';
import { usePost, usePostList, usePostStore } from '../posts/store/use-posts.ts';

interface Assignment {
  /** The page with which the notification was loaded. */
  page: number;
  /** The key of the group. */
  key: string;
}

/** The page and the group of each notification that a list has had, in the order of arrival. */
export type Assignments = ReadonlyMap<string, Assignment>;

/** Assigns new notifications to pages. Many at once are cut into pages, so that a list that is loaded again has the same pages as before. */
export function assigned(before: Assignments, ids: readonly string[], keyOf: (id: string) => string): Assignments {
  const added = ids.filter((id) => !before.has(id));
  const pageOf = (index: number) => before.size + Math.floor(index / limits.pageSize);
  return new Map([...before, ...added.map((id, index) => [id, { page: pageOf(index), key: keyOf(id) }] as const)]);
}

/** Groups the notifications of each page. Neither another page nor a deletion changes the order of what is shown. */
export function grouped(assignments: Assignments, ids: readonly string[]): readonly string[][] {
  const there = new Set(ids);
  const members = Map.groupBy(assignments.keys(), (id) => assignments.get(id)!.page);
  const groups: string[][] = [];
  for (const page of new Set(ids.map((id) => assignments.get(id)!.page))) {
    for (const [key, all] of Map.groupBy(members.get(page)!, (id) => assignments.get(id)!.key)) {
      const own = all.filter((id) => there.has(id));
      const last = groups.at(-1)?.[0];
      if (last !== undefined && assignments.get(last)!.key === key) groups.at(-1)!.push(...own);
      else if (own.length > 0) groups.push(own);
    }
  }
  return groups;
}

/** A notification as a part of its group. */
interface GroupMember {
  /** The notifications of the group, without those of muted authors and with hidden words. */
  ids: readonly string[];
  isFirst: boolean;
  /** Whether the card says which post it replies to: another post than the card above or, in the first card, another one than the root. */
  namesReplied: boolean;
}

interface Groups {
  ids: readonly string[];
  members: ReadonlyMap<string, GroupMember>;
  /** The number of notifications that are not shown because of their authors or words. */
  hidden: number;
}

export const [GroupsProvider, useGroupMembers] = createRequiredContext<Groups>();

/** The groups of each list, so that the reader finds them unchanged on return. The key is the list's own `source` object. */
const assignmentsOf = new WeakMap<PostListSource, Assignments>();

/** A mention in a root post is a group of its own, apart from the replies to that post. */
const keyOf = (post: Post | undefined): string => post?.actions.parent_post_id ?? `mention in ${post?.id}`;

export function useGroups(list: PostListId): Groups {
  const { ids, source } = usePostList(list);
  const store = usePostStore();
  const whyHidden = useHides();
  useRootsInStore(ids);

  return useMemo(() => {
    const post = (id: string) => store.post(id);
    const known = assigned(assignmentsOf.get(source) ?? new Map(), ids, (id) => keyOf(post(id)));
    assignmentsOf.set(source, known);
    const isShown = (id: string) => !whyHidden(post(id));
    const shownGroups = grouped(known, ids).map((group) => group.filter(isShown));
    const shown = shownGroups.flat();
    const members = new Map(
      shownGroups.flatMap((own) =>
        own.map((id, index) => {
          const above = index > 0 ? post(own[index - 1]!) : undefined;
          return [id, { ids: own, isFirst: index === 0, namesReplied: namesReplied(post(id), above) }] as const;
        }),
      ),
    );
    return { ids: shown, members, hidden: ids.length - shown.length };
  }, [source, ids, store, whyHidden]);
}

function namesReplied(post: Post | undefined, above: Post | undefined): boolean {
  if (!post) return false;
  const { replied_post_id: repliedId, parent_post_id: root } = post.actions;
  return repliedId !== (above?.actions.replied_post_id ?? root);
}

/** Puts the root posts into the store, so that edits of a root post appear in the head of its group. */
function useRootsInStore(ids: readonly string[]): void {
  const store = usePostStore();
  useLayoutEffect(() => {
    const missing = ids.flatMap((id) => {
      const root = store.rootOf(store.post(id)?.actions.parent_post_id ?? '');
      return root && !store.post(root.id) ? [root] : [];
    });
    if (missing.length === 0) return;
    missing.forEach(store.posts.put);
    store.changed();
  }, [ids, store]);
}

/** The root post of a discussion; undefined if it is gone. */
export function useRoot(id: string): Pick<QuotedPost, 'id' | 'owner' | 'text' | 'modified_at'> | undefined {
  const store = usePostStore();
  const stored = usePost(id);
  const isDeleted = useObservable(store.content, () => store.posts.deleted.has(id));
  const known = store.rootOf(id);
  return isDeleted || !known ? undefined : (stored ?? known);
}
