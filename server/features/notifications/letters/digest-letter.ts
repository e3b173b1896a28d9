import { addresses } from '#contract/addresses.ts';
import { notificationWords, wordInQuotes } from '#contract/notification-words.ts';
import { excerpt } from '#contract/text-parts.ts';
import type { Tx } from '../../../db/database.ts';
import type { Letter } from '../../../mail/letter.ts';
import { followedIn } from '../../words/word-store.ts';
import { recipientOf, recordDigest } from '../digest-store.ts';
import { leftOut, type UnreadPost, unreadPosts } from './unread-posts.ts';
import { countUnread } from '../notification-store.ts';
import { latestUnseen, noteRemovalLetter } from '../removals.ts';
import { type Addressed, hasTexts, type LetterOptions } from './letter-options.ts';
import { citedBy, type IsLeftOut, postWriter, rootIdOf, shownPosts, subscriptionOf } from './letter-posts.ts';

const shownRemovals = 5;
const removalLength = 160;

interface Shown {
  userId: number;
  /** The followed words of the posts of the kind `word`. */
  words: ReadonlyMap<UnreadPost, string>;
  posts: readonly UnreadPost[];
  isLeftOut: IsLeftOut;
}

/** Adds posts by discussion, what they answer once above them. Returns how many had room. */
export function addDiscussions(
  { wall }: LetterOptions,
  paragraphs: Array<Letter['paragraphs'][number]>,
  { userId, posts, isLeftOut, words }: Shown,
): number {
  const { publicUrl } = wall;
  const writer = postWriter({ publicUrl, hasTexts: hasTexts(wall) }, paragraphs);
  let shown = 0;
  for (const [rootId, ofDiscussion] of Map.groupBy(posts, ({ post }) => rootIdOf(post))) {
    const byAnswered = Map.groupBy(ofDiscussion, ({ post }) => post.actions.replied_post_id);
    const before = shown;
    for (const answers of byAnswered.values()) {
      let cited = citedBy(answers[0]!.post, userId, isLeftOut);
      for (const unread of answers) {
        const { post, kind } = unread;
        const word = words.get(unread);
        const reason =
          word === undefined ? (kind === 'answer' ? undefined : notificationWords[kind].inLetter) : wordInQuotes(word);
        if (!writer.add(post, { ...(reason !== undefined && { reason }), cited })) return shown;
        cited = undefined;
        shown += 1;
      }
    }
    if (shown > before && ofDiscussion.some(({ post }) => post.actions.replied_post_id !== null)) {
      const link = publicUrl + addresses.post.href({ id: rootId });
      paragraphs.push({ label: 'Открыть обсуждение', link, isButton: true });
    }
  }
  return shown;
}

/** The posts of notifications in the order in which they were written, without what they answer if it is to be left out. */
export async function shownOf({ db }: LetterOptions, userId: number, newest: readonly UnreadPost[]): Promise<Shown> {
  const posts = newest.toReversed();
  const cited = posts.flatMap(({ post }) => post.actions.replied_post ?? []);
  const found = posts.filter(({ kind }) => kind === 'word');
  const followed = await followedIn(
    db.read,
    userId,
    found.map(({ post }) => post.text),
  );
  const words = new Map(found.flatMap((each, i) => (followed[i] ? [[each, followed[i]] as const] : [])));
  return { userId, posts, words, isLeftOut: await leftOut(db.read, userId, cited) };
}

/**
 * Writes the letter with a person's unread notifications and unseen removals of which no letter has told. Undefined if there are none,
 * or the person wants no letters any more.
 */
export function digestLetters(options: LetterOptions) {
  const { db, wall, now } = options;
  return async ({ userId }: { userId: number }): Promise<Addressed | undefined> => {
    const { appName, publicUrl } = wall;
    const writtenAt = now();
    const person = await recipientOf(db.read, userId, 'digest');
    if (!person) return undefined;
    const { email, notifications_made: made, digest_no: after } = person;
    const found = await unreadPosts(db.read, { userId, after, limit: shownPosts + 1 });
    const removals = await latestUnseen(db.read, userId, shownRemovals);
    if (found.length + removals.length === 0) return undefined;
    const unread = await countUnread(db.read, userId);
    const paragraphs: Array<Letter['paragraphs'][number]> = [
      'Пока вас не было:',
      ...removals.map(({ text, reason }) => ({
        heading: `Убрано со стены теми, кто её ведёт. Причина: ${reason}`,
        quote: hasTexts(wall) ? excerpt(text, removalLength) : '',
        link: publicUrl + addresses.notifications.href(),
      })),
    ];
    const shown = addDiscussions(options, paragraphs, await shownOf(options, userId, found.slice(0, shownPosts)));
    paragraphs.push(
      {
        label: shown < found.length ? 'Остальное — на стене' : 'Все уведомления',
        link: publicUrl + addresses.notifications.href(),
      },
      { label: 'Как часто присылать такие письма', link: publicUrl + addresses.settingsNotifications.href() },
    );
    const letter: Letter = {
      subject: `Непрочитанных уведомлений: ${unread} — ${appName}`,
      paragraphs,
      appName,
      subscription: subscriptionOf(options, {
        userId,
        email,
        // With letters about answers, the rest of them comes to people without a digest too.
        ends: person.digest === 'off' ? 'answers' : 'digest',
        why: 'Вы получили это письмо, потому что на стене есть непрочитанное вами.',
      }),
    };
    // A letter that is given up has told nothing, so the next one tells of the same.
    const settled = async (tx: Tx): Promise<void> => {
      await recordDigest(tx, userId, made);
      await noteRemovalLetter(tx, userId, writtenAt);
    };
    return { recipient: email, letter, settled };
  };
}
