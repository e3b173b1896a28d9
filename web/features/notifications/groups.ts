import { limits } from '#contract/limits.ts';

/** Notifications of one discussion that are shown together, newest first. */
export interface Group {
  readonly key: string;
  readonly ids: readonly string[];
}

/** What a notification is grouped by. */
type KeyOf = (id: string) => string;

/**
 * Groups the notifications of a list, newest first. What `before` has grouped keeps its order: older notifications come
 * below it and newer ones above, so that nothing moves that a reader has on the screen.
 */
export function grouped(before: readonly Group[], ids: readonly string[], keyOf: KeyOf): readonly Group[] {
  const known = new Set(before.flatMap((group) => group.ids));
  const isKnown = (id: string) => known.has(id);
  const [first, last] = [ids.findIndex(isKnown), ids.findLastIndex(isKnown)];
  const there = new Set(ids);
  const kept = before.flatMap(({ key, ids: all }) =>
    groupOf(
      key,
      all.filter((id) => there.has(id)),
    ),
  );
  const newer = batches(ids.slice(0, Math.max(0, first)), keyOf);
  const older = batches(ids.slice(last + 1), keyOf);
  const returned = ids.slice(Math.max(0, first), last + 1).filter((id) => !isKnown(id));
  const middle = returned.reduce<readonly Group[]>(
    (groups, id) => withReturned(groups, id, { ids, key: keyOf(id) }),
    kept,
  );
  // Nothing of what is already shown moves up to newer ones of its discussion, unless it is next to them.
  const isNext = newer.at(-1)?.key === middle[0]?.key;
  return joined(isNext ? joined(newer, middle) : [...newer, ...middle], older);
}

/** Groups what comes at once, a page at a time: a list that is loaded again has the same groups as before. */
function batches(ids: readonly string[], keyOf: KeyOf): readonly Group[] {
  let groups: readonly Group[] = [];
  for (let start = 0; start < ids.length; start += limits.pageSize) {
    groups = joined(groups, batch(ids.slice(start, start + limits.pageSize), keyOf));
  }
  return groups;
}

function batch(ids: readonly string[], keyOf: KeyOf): readonly Group[] {
  const byKey = Map.groupBy(ids, keyOf);
  return [...byKey].map(([key, own]) => ({ key, ids: own }));
}

/** The last group above goes on with what comes below it from the same discussion. */
function joined(above: readonly Group[], below: readonly Group[]): readonly Group[] {
  const end = above.at(-1);
  const more = end && below.find(({ key }) => key === end.key);
  if (!more) return [...above, ...below];
  const longer = { key: end.key, ids: [...end.ids, ...more.ids] };
  return [...above.slice(0, -1), longer, ...below.filter((group) => group !== more)];
}

/** A notification whose post was restored stands where it was in the list, or beside the others of its discussion. */
function withReturned(
  groups: readonly Group[],
  id: string,
  { ids, key }: { ids: readonly string[]; key: string },
): readonly Group[] {
  const at = groups.findIndex((group) => group.key === key);
  const isOlder = (other: string) => ids.indexOf(other) > ids.indexOf(id);
  if (at < 0) {
    const below = groups.findIndex((group) => isOlder(group.ids[0]!));
    return [...groups].toSpliced(below < 0 ? groups.length : below, 0, { key, ids: [id] });
  }
  const own = groups[at]!.ids;
  const place = own.findIndex(isOlder);
  return groups.with(at, { key, ids: own.toSpliced(place < 0 ? own.length : place, 0, id) });
}

const groupOf = (key: string, ids: readonly string[]): Group[] => (ids.length > 0 ? [{ key, ids }] : []);
