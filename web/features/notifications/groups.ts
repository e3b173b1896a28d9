import { limits } from '#contract/limits.ts';

interface Place {
  /** The page with which the notification was loaded. */
  page: number;
  /** The key of the group. */
  key: string;
}

/** All notifications that a list has had, in the order in which they came. */
export type Places = ReadonlyMap<string, Place>;

/** Adds what has come since. What comes at once is cut into pages, so that a list that is loaded again has the same. */
export function placed(before: Places, ids: readonly string[], keyOf: (id: string) => string): Places {
  const added = ids.filter((id) => !before.has(id));
  const pageOf = (index: number) => before.size + Math.floor(index / limits.pageSize);
  return new Map([...before, ...added.map((id, index) => [id, { page: pageOf(index), key: keyOf(id) }] as const)]);
}

/** Groups the notifications of each page. Neither another page nor a deletion changes the order of what is shown. */
export function grouped(places: Places, ids: readonly string[]): readonly string[][] {
  const there = new Set(ids);
  const members = Map.groupBy(places.keys(), (id) => places.get(id)!.page);
  const groups: string[][] = [];
  for (const page of new Set(ids.map((id) => places.get(id)!.page))) {
    for (const [key, all] of Map.groupBy(members.get(page)!, (id) => places.get(id)!.key)) {
      const own = all.filter((id) => there.has(id));
      const last = groups.at(-1)?.[0];
      if (last !== undefined && places.get(last)!.key === key) groups.at(-1)!.push(...own);
      else if (own.length > 0) groups.push(own);
    }
  }
  return groups;
}
