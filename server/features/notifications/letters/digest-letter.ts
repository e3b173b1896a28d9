import { addresses } from '#contract/addresses.ts';
import { nameInLetter } from '#contract/username.ts';
import { excerpt } from '#contract/text-parts.ts';
import { notificationWords } from '#contract/notification-words.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { moment } from '../../../mail/notices.ts';
import type { Letter } from '../../../mail/letter.ts';
import type { Secrets } from '../../../secrets.ts';
import { recipientOf, recordDigest, unreadPosts } from '../digest-store.ts';
import { latestUnseen, noteRemovalLetter } from '../removals.ts';
import { countUnread } from '../notification-store.ts';
import { unsubscribeToken } from '../notification-routes.ts';
import { ownerOf } from '../../posts/post-rows.ts';

const shown = 5;
const excerptLength = 160;

export interface LetterOptions {
  db: Database;
  secrets: Secrets;
  /** Read anew for each letter, because owners can change it. */
  wall: { readonly appName: string; readonly publicUrl: string };
  now: () => number;
}

export interface Addressed {
  recipient: string;
  letter: Letter;
  /** Called in the transaction that records that the letter needs no other try. */
  settled?: (tx: Tx) => Promise<void>;
}

type Quoted = Parameters<typeof ownerOf>[0] & { id: number; text: string; created_at: number };

/** A post with its author, and why it is in the letter. */
function quoteOf(post: Quoted, reason: string, publicUrl: string) {
  const author = ownerOf(post);
  return {
    heading: `${nameInLetter(author)}, ${reason}:`,
    author,
    note: `${reason} · ${moment(post.created_at)}`,
    quote: excerpt(post.text, excerptLength),
    link: publicUrl + addresses.post.href({ id: String(post.id) }),
  };
}

/**
 * Writes the letter with a person's unread notifications and unseen removals. Undefined if there are none, or the person wants no
 * letters any more.
 */
export function digestLetters({ db, secrets, wall, now }: LetterOptions) {
  return async (userId: number): Promise<Addressed | undefined> => {
    const { appName, publicUrl } = wall;
    const writtenAt = now();
    const person = await recipientOf(db.read, userId, 'digest');
    if (!person) return undefined;
    const posts = await unreadPosts(db.read, { userId, after: 0, limit: shown });
    const removals = await latestUnseen(db.read, userId, shown);
    const told = posts.length + removals.length;
    if (told === 0) return undefined;
    const unread = await countUnread(db.read, userId);
    const token = unsubscribeToken(secrets, { id: userId, email: person.email, letter: 'digest' }, now());
    const unsubscribe = publicUrl + addresses.unsubscribe.href({}, { token });
    const letter: Letter = {
      subject: `Непрочитанных уведомлений: ${unread} — ${appName}`,
      paragraphs: [
        unread > told ? `Непрочитанных уведомлений: ${unread}. Последние из них:` : 'Пока вас не было:',
        ...removals.map(({ text, reason }) => ({
          heading: `Убрано со стены теми, кто её ведёт. Причина: ${reason}`,
          quote: excerpt(text, excerptLength),
          link: publicUrl + addresses.notifications.href(),
        })),
        ...posts.map((post) => quoteOf(post, notificationWords[post.kind].inLetter, publicUrl)),
        { label: 'Все уведомления', link: publicUrl + addresses.notifications.href() },
        { label: 'Как часто присылать такие письма', link: publicUrl + addresses.settingsNotifications.href() },
        { label: 'Больше не присылать', link: unsubscribe },
      ],
      appName,
      unsubscribe,
    };
    // A letter that is given up has told nothing, so the next one tells of the same.
    const settled = async (tx: Tx): Promise<void> => {
      await recordDigest(tx, userId, person.notifications_made);
      await noteRemovalLetter(tx, userId, writtenAt);
    };
    return { recipient: person.email, letter, settled };
  };
}
