import { addresses } from '#contract/addresses.ts';
import { nameInLetter } from '#contract/username.ts';
import type { Post } from '#contract/posts.ts';
import type { Letter } from '../../../mail/letter.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { prepared } from '../../../db/prepared.ts';
import { isNotBlocked } from '../../../db/visibility.ts';
import { type PostRow, selectPosts, selectRootPosts, toPost } from '../../posts/post-rows.ts';
import { recipientOf, recordWallLetter } from '../digest-store.ts';
import { leftOut } from './unread-posts.ts';
import { type Addressed, hasTexts, type LetterOptions } from './letter-options.ts';
import { type IsLeftOut, postWriter, rootIdOf, shownPosts, subscriptionOf } from './letter-posts.ts';

const newestRoots = prepared<{ after: number }, PostRow>((db, slot) =>
  selectRootPosts(db)
    .where('p.id', '>', slot('after'))
    .where(isNotBlocked('u'))
    .orderBy('p.id', 'desc')
    .limit(sql<number>`${sql.lit(shownPosts + 1)}`),
);

/** The first replies in discussions, for as many posts as the letter has. */
async function repliesIn(db: Kysely<Schema>, roots: readonly Post[]): Promise<Post[]> {
  const ids = roots.map(({ id }) => Number(id));
  const rows = await selectPosts(db)
    .where('p.parent_post_id', 'in', ids)
    .where(isNotBlocked('u'))
    .orderBy('p.id')
    .limit(shownPosts + 1)
    .execute();
  return rows.map(toPost);
}

/** That a post is a reply, and to whom, unless it replies to the root post above it. */
function placeOf({ actions }: Post, isLeftOut: IsLeftOut): { reason?: string; isReply?: true } {
  const { replied_post: replied, replied_post_id: repliedId, parent_post_id: rootId } = actions;
  if (repliedId === null) return {};
  const isNamed = replied && replied.id !== rootId && !isLeftOut(replied);
  return { reason: isNamed ? `отвечает: ${nameInLetter(replied.owner)}` : 'ответ', isReply: true };
}

/** Writes the letter with all root posts since the last one, and their replies. Undefined if there are none. */
export function wallLetters(options: LetterOptions) {
  const { db, wall } = options;
  return async ({ userId }: { userId: number }): Promise<Addressed | undefined> => {
    const person = await recipientOf(db.read, userId, 'wall');
    if (!person) return undefined;
    const rows = await newestRoots(db.read, { after: person.wall_daily_id });
    if (rows.length === 0) return undefined;
    const roots = rows.map(toPost).toReversed();
    const replies = await repliesIn(db.read, roots);
    const cited = replies.flatMap(({ actions }) => actions.replied_post ?? []);
    const isLeftOut = await leftOut(db.read, userId, [...roots, ...replies, ...cited]);
    const { appName, publicUrl } = wall;
    const paragraphs: Array<Letter['paragraphs'][number]> = [];
    const writer = postWriter({ publicUrl, hasTexts: hasTexts(wall) }, paragraphs);
    const byRoot = Map.groupBy(replies, rootIdOf);
    const isWhole = roots
      .filter((post) => !isLeftOut(post))
      .flatMap((root) => [root, ...(byRoot.get(root.id) ?? []).filter((post) => !isLeftOut(post))])
      .every((post) => writer.add(post, placeOf(post, isLeftOut)));
    if (paragraphs.length === 0) return undefined;
    paragraphs.push({
      label: isWhole && replies.length <= shownPosts ? 'Открыть стену' : 'Остальное — на стене',
      link: publicUrl + addresses.feed.href(),
      isButton: true,
    });
    const { email } = person;
    const letter: Letter = {
      subject: `Новое за день — ${appName}`,
      title: `Новое на стене «${appName}»`,
      paragraphs,
      appName,
      subscription: subscriptionOf(options, {
        userId,
        email,
        ends: 'wall',
        why: 'Вы получили это письмо, потому что попросили присылать всю стену раз в день.',
      }),
    };
    return { recipient: email, letter, settled: (tx) => recordWallLetter(tx, userId, rows[0]!.id) };
  };
}
