import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Database } from '../../db/database.ts';
import type { Letter } from '../../mail/letter.ts';
import type { Secrets } from '../../secrets.ts';
import { recipientOf, unreadPosts } from './digest-store.ts';
import { latestUnseen } from './removals.ts';
import { countUnread } from './store.ts';
import { unsubscribeToken } from './unsubscribing.ts';

const shown = 5;
const excerptLength = 160;

const reasons: Record<NotificationKind, string> = {
  answer: 'ответ вам',
  mention: 'упоминание',
  followed: 'в обсуждении, за которым вы следите',
};

interface DigestOptions {
  db: Database;
  secrets: Secrets;
  /** As it is when a letter is written. */
  wall: { readonly appName: string; readonly publicUrl: string };
  now: () => number;
}

/** Writes the letter with a person's unread notifications; undefined if they have read them or want no letters any more. */
export function digestLetters({ db, secrets, wall, now }: DigestOptions) {
  return async (userId: number): Promise<{ recipient: string; letter: Letter } | undefined> => {
    const { appName, publicUrl } = wall;
    const person = await recipientOf(db.read, userId);
    if (!person) return undefined;
    const posts = await unreadPosts(db.read, { userId, after: person.notifications_read, limit: shown });
    const removals = await latestUnseen(db.read, userId, shown);
    const told = posts.length + removals.length;
    if (told === 0) return undefined;
    const unread = await countUnread(db.read, userId);
    const token = unsubscribeToken(secrets, { id: userId, email: person.email }, now());
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
        ...posts.map(({ id, username, text, kind }) => ({
          heading: `${username}, ${reasons[kind]}:`,
          quote: excerpt(text, excerptLength),
          link: publicUrl + addresses.post.href({ id: String(id) }),
        })),
        { label: 'Все уведомления', link: publicUrl + addresses.notifications.href() },
        { label: 'Как часто присылать такие письма', link: publicUrl + addresses.settingsNotifications.href() },
        { label: 'Больше не присылать', link: unsubscribe },
      ],
      appName,
      unsubscribe,
    };
    return { recipient: person.email, letter };
  };
}
