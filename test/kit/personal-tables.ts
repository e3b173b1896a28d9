import { readFileSync } from 'node:fs';

/** They say nothing about a person. */
export const impersonal: ReadonlySet<string> = new Set([
  'thread_gaps',
  'search_index',
  'feed_counts',
  'likes_to_move',
  'first_posts',
  'wall_settings',
  'visible_changes',
]);

const schema = ['account-tables.ts', 'schema.ts']
  .map((file) => readFileSync(new URL(`../../server/db/${file}`, import.meta.url), 'utf8'))
  .join('\n');

export const allTables: readonly string[] = [...schema.matchAll(/^ {2}(\w+): (?:\{|[A-Z])/gm)].map(([, name]) => name!);

/** The tables of the schema with rows about people. */
export const tablesAboutPeople: readonly string[] = allTables.filter((name) => !impersonal.has(name));
