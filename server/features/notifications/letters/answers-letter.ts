import type { NotificationKind } from '#contract/notification-words.ts';
import { excerpt } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import type { Letter } from '../../../mail/letter.ts';
import { recipientOf, recordTold } from '../digest-store.ts';
import { textOfRoot, unreadAnswers } from './unread-posts.ts';
import { addDiscussions, shownOf } from './digest-letter.ts';
import { type Addressed, hasTexts, type LetterOptions } from './letter-options.ts';
import { shownPosts, subscriptionOf } from './letter-posts.ts';

const reasons: Partial<Record<NotificationKind, string>> = {
  answer: 'вам ответили',
  mention: 'вас упомянули',
};

/** Writes the letter about what is new for a person in one discussion. Undefined if it was read, or the person wants no letters any more. */
export function answersLetters(options: LetterOptions) {
  const { db, wall } = options;
  return async (mail: { userId: number; rootId: number; after: number }): Promise<Addressed | undefined> => {
    const { userId, rootId } = mail;
    const person = await recipientOf(db.read, userId, 'answers');
    const found = person ? await unreadAnswers(db.read, { ...mail, limit: shownPosts }) : [];
    if (!person || found.length === 0) return undefined;
    const { appName } = wall;
    const { email } = person;
    const text = hasTexts(wall) ? await textOfRoot(db.read, userId, rootId) : undefined;
    const first = text === undefined ? 'Новое в обсуждении' : excerpt(text, limits.titleLength);
    const paragraphs: Array<Letter['paragraphs'][number]> = [];
    addDiscussions(options, paragraphs, await shownOf(options, userId, found));
    const [reason] = found.flatMap(({ kind }) => reasons[kind] ?? []).toSorted();
    const letter: Letter = {
      subject: `${first} — ${appName}`,
      title: `Ответы на стене «${appName}»`,
      paragraphs,
      appName,
      subscription: subscriptionOf(options, {
        userId,
        email,
        ends: 'answers',
        why: `Вы получили это письмо, потому что ${reason ?? 'следите за этим обсуждением'}.`,
        discussion: String(rootId),
      }),
    };
    return {
      recipient: email,
      letter,
      settled: (tx) =>
        recordTold(
          tx,
          userId,
          found.map(({ no }) => no),
        ),
    };
  };
}
