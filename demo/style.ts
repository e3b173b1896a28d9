import { type Mood, phrases } from './corpus.ts';
import type { Style } from './people.ts';
import type { Random } from './random.ts';

const finalStop = /(?<!\.)\.$/;
const severalSentences = /[.!?:]\s/;

/** Applies a person's typing style to a text. */
export function inStyle(text: string, style: Style, mood: Mood, random: Random): string {
  switch (style) {
    case 'neat':
      return text;
    case 'loose':
      return text.replace(finalStop, '');
    case 'lowercase':
      if (severalSentences.test(text)) return text.replace(finalStop, '');
      return text[0]!.toLowerCase() + text.slice(1).replace(finalStop, '');
    case 'smiling':
      return random.chance(0.5)
        ? text.replace(finalStop, mood === 'grumble' ? ' :(' : random.pick([')', '))', ' :)']))
        : text;
    case 'emoji':
      return random.chance(0.5) ? `${text} ${random.pick(phrases.emoji[mood])}` : text;
  }
}
