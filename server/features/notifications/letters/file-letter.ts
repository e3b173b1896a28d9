import { siteFiles } from '#contract/addresses.ts';
import type { Letter } from '../../../mail/letter.ts';
import { fileOf } from '../../carries/carry-file.ts';
import { findMonthly } from '../../carries/carry-store.ts';
import { mayGetFile, recipientOf } from '../digest-store.ts';
import type { Addressed, LetterOptions } from './letter-options.ts';
import { subscriptionOf } from './letter-posts.ts';

/** Many mail servers take no larger letters than 10 MB, and a file becomes larger by a third in a letter. */
const attachedAtMost = 5_000_000;

/** Writes the monthly letter with the file of the whole wall, or with its address if the file is large. */
export function fileLetters(options: LetterOptions) {
  const { db, wall } = options;
  return async ({ userId }: { userId: number }): Promise<Addressed | undefined> => {
    const person = await recipientOf(db.read, userId, 'file');
    const carry = await findMonthly(db.read, ['ready']);
    if (!person || !mayGetFile(wall, person.role) || !carry) return undefined;
    const { filename, content } = await fileOf(db.read, wall, carry);
    let attached = { filename, content: '' };
    for await (const piece of content) {
      attached.content += piece;
      if (attached.content.length > attachedAtMost) break;
    }
    const isAttached = Buffer.byteLength(attached.content) <= attachedAtMost;
    const { appName, publicUrl } = wall;
    const letter: Letter = {
      subject: `Стена файлом — ${appName}`,
      paragraphs: [
        `Вся стена, записей и ответов: ${carry.done}. Файл открывается в браузере без сети: в нём можно читать и искать.`,
        isAttached
          ? `Файл приложен к письму: ${filename}`
          : { label: 'Скачать файл', link: publicUrl + siteFiles.carried.href(carry), isButton: true },
      ],
      appName,
      ...(isAttached && { attached }),
      subscription: subscriptionOf(options, {
        userId,
        email: person.email,
        ends: 'file',
        why: 'Вы получили это письмо, потому что попросили присылать стену файлом раз в месяц.',
      }),
    };
    return { recipient: person.email, letter };
  };
}
