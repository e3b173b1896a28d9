import type { Kysely } from 'kysely';
import { splitLinks } from '#contract/links.ts';
import { serverLimits } from '#contract/limits.ts';
import type { Post, QuotedPost } from '#contract/posts.ts';
import { isGeneratedUsername, shownName, usernameKey } from '#contract/username.ts';
import type { Tag } from '../db/database.ts';
import { preparedAmong } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { isNotDeleted } from '../db/visibility.ts';

/** The mentions in a text as they are written, each once. */
const mentionsIn = (text: string): Set<string> =>
  new Set(splitLinks(text).flatMap((part) => (part.href !== undefined && part.text.startsWith('@') ? part.text : [])));

const keyOf = (mention: string): string => usernameKey(mention.slice(1));

/** The keys of the usernames that a text mentions, each once. */
export const mentionsOf = (text: string): string[] =>
  text.includes('@') ? [...new Set(Array.from(mentionsIn(text), keyOf))] : [];

interface Person {
  key: string;
  id: number;
  username: string;
  display_name: string | null;
}

/** The people who have these usernames or have left them in the last days. */
const peopleNamed = preparedAmong<string, Person>([serverLimits.mentions], (db, keys) =>
  db
    .selectFrom('users as u')
    .select(['u.username_key as key', 'u.id', 'u.username', 'u.display_name'])
    .where('u.username_key', 'in', keys)
    .where(isNotDeleted('u'))
    .unionAll(
      db
        .selectFrom('left_usernames as l')
        .innerJoin('users as u', 'u.id', 'l.user_id')
        .select(['l.username_key as key', 'u.id', 'u.username', 'u.display_name'])
        .where('l.username_key', 'in', keys)
        .where(isNotDeleted('u')),
    ),
);

/**
 * Adds the shown names of the people whom posts mention by a username that the server generated. Resolves to the tags on which
 * the posts then depend.
 */
export async function nameMentioned(db: Kysely<Schema>, posts: ReadonlyArray<Post | QuotedPost>): Promise<Tag[]> {
  const found: Array<Post | QuotedPost> = [];
  const look = (post: Post | QuotedPost): void => {
    if (post.text.includes('@') && /@user_/i.test(post.text)) found.push(post);
  };
  for (const post of posts) {
    look(post);
    if (post.actions.replied_post) look(post.actions.replied_post);
  }
  if (found.length === 0) return [];
  const mentioning = found.map((post) => {
    const mentions = [...mentionsIn(post.text)].filter((mention) => isGeneratedUsername(keyOf(mention)));
    return { post, mentions: mentions.slice(0, serverLimits.mentions) };
  });
  const keys = new Set(mentioning.flatMap(({ mentions }) => mentions.map(keyOf)));
  if (keys.size === 0) return [];
  const people = await peopleNamed(db, [...keys]);
  const names = new Map(people.map((person) => [person.key, shownName(person)]));
  for (const { post, mentions } of mentioning) {
    const named = mentions.flatMap((mention) => {
      const name = names.get(keyOf(mention));
      return name === undefined || name === keyOf(mention) ? [] : [[mention, name] as const];
    });
    if (named.length > 0) post.mentions = Object.fromEntries(named);
  }
  return people.map(({ id }) => `user:${id}` as const);
}
