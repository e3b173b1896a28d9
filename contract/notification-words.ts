export type NotificationKind = 'answer' | 'mention' | 'followed' | 'author' | 'word';

interface Words {
  /** What the API says about the kind. */
  means: string;
  /** In a digest, before the quoted post. */
  inLetter: string;
  /** In the title of a push, after the name of the author. */
  verb: string;
  /** The head of a root post on the page: of one that was read and of a new one, and the words before the link to it. */
  head: readonly [read: string, fresh: string, before: string];
}

const ordinaryHead = ['Запись', 'Новая запись', ''] as const;

export const notificationWords: Readonly<Record<NotificationKind, Words>> = {
  answer: { means: 'ответ на вашу запись', inLetter: 'ответ вам', verb: 'отвечает вам', head: ordinaryHead },
  mention: {
    means: 'вас упомянули',
    inLetter: 'упоминание',
    verb: 'упоминает вас',
    head: ['Упоминание', 'Новое упоминание', 'в записи '],
  },
  followed: {
    means: 'новое в обсуждении, за которым вы следите',
    inLetter: 'в обсуждении, за которым вы следите',
    verb: 'пишет в обсуждении',
    head: ordinaryHead,
  },
  author: {
    means: 'новая запись автора, за которым вы следите',
    inLetter: 'новая запись',
    verb: 'пишет на стене',
    head: ordinaryHead,
  },
  word: {
    means: 'новое со словом, за которым вы следите',
    inLetter: 'со словом, за которым вы следите',
    verb: 'пишет на стене',
    head: ordinaryHead,
  },
};

/** The followed word, as a reason of a notification. */
export const wordInQuotes = (word: string): string => `слово «${word}»`;
