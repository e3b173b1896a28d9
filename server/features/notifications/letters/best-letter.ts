import { addresses } from '#contract/addresses.ts';
import type { Letter } from '../../../mail/letter.ts';
import { bestOfWeekFor } from '../../lists/best.ts';
import { recipientOf } from '../digest-store.ts';
import { type Addressed, hasTexts, type LetterOptions } from './letter-options.ts';
import { postWriter, subscriptionOf } from './letter-posts.ts';

const shown = 5;

/** Writes the letter with the best posts of the week. */
export function bestLetters(options: LetterOptions) {
  const { db, wall } = options;
  return async ({ userId }: { userId: number }): Promise<Addressed | undefined> => {
    const { appName, publicUrl } = wall;
    const person = await recipientOf(db.read, userId, 'best');
    const posts = person ? await bestOfWeekFor(db.read, userId, shown) : [];
    if (!person || posts.length === 0) return undefined;
    const { email } = person;
    const paragraphs: Array<Letter['paragraphs'][number]> = [
      'За неделю больше всего людей отметили эти записи или ответили на них:',
    ];
    const writer = postWriter({ publicUrl, hasTexts: hasTexts(wall) }, paragraphs);
    for (const post of posts) writer.add(post);
    paragraphs.push({ label: 'Всё лучшее', link: publicUrl + addresses.best.href() });
    const letter: Letter = {
      subject: `Лучшее за неделю — ${appName}`,
      paragraphs,
      appName,
      subscription: subscriptionOf(options, {
        userId,
        email,
        ends: 'best',
        why: 'Вы получили это письмо, потому что попросили присылать лучшее за неделю.',
      }),
    };
    return { recipient: email, letter };
  };
}
