import { answersLetters } from './answers-letter.ts';
import { bestLetters } from './best-letter.ts';
import { digestLetters } from './digest-letter.ts';
import { fileLetters } from './file-letter.ts';
import type { LetterOptions } from './letter-options.ts';
import { wallLetters } from './wall-letter.ts';

/** Writes each kind of letters that people subscribe to, when it is sent. */
export const letterWriters = (options: LetterOptions) => ({
  answers: answersLetters(options),
  digest: digestLetters(options),
  best: bestLetters(options),
  wall: wallLetters(options),
  file: fileLetters(options),
});
