import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/text-parts.ts';
import { nameInLetter } from '#contract/username.ts';
import type { Letter } from '../../../mail/letter.ts';
import { moment } from '../../../mail/notices.ts';
import type { Addressed, LetterOptions } from './digest-letter.ts';
import { recipientOf } from '../digest-store.ts';
import { unsubscribeToken } from '../notification-routes.ts';
import { bestOfWeekFor } from '../../lists/best.ts';

const shown = 5;
const excerptLength = 160;

/** Writes the letter with the best posts of the week. */
export function bestLetters({ db, secrets, wall, now }: LetterOptions) {
  return async (userId: number): Promise<Addressed | undefined> => {
    const { appName, publicUrl } = wall;
    const person = await recipientOf(db.read, userId, 'best');
    const posts = person ? await bestOfWeekFor(db.read, userId, shown) : [];
    if (!person || posts.length === 0) return undefined;
    const token = unsubscribeToken(secrets, { id: userId, email: person.email, letter: 'best' }, now());
    const unsubscribe = publicUrl + addresses.unsubscribe.href({}, { token });
    const letter: Letter = {
      subject: `Лучшее за неделю — ${appName}`,
      paragraphs: [
        'За неделю больше всего людей отметили эти записи или ответили на них:',
        ...posts.map(({ id, text, owner, created_at: at }) => ({
          heading: `${nameInLetter(owner)}:`,
          author: owner,
          note: moment(at),
          quote: excerpt(text, excerptLength),
          link: publicUrl + addresses.post.href({ id }),
        })),
        { label: 'Всё лучшее', link: publicUrl + addresses.best.href() },
        { label: 'Больше не присылать лучшее за неделю', link: unsubscribe },
      ],
      appName,
      unsubscribe,
    };
    return { recipient: person.email, letter };
  };
}
