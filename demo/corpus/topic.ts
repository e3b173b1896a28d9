export type Season = 'winter' | 'spring' | 'summer' | 'autumn';
export type DayPart = 'morning' | 'day' | 'evening' | 'night';

/** Determines the kind of replies to a post. */
export const moods = ['joy', 'grumble', 'talk', 'ask', 'notice'] as const;
export type Mood = (typeof moods)[number];

/** Interchangeable texts that share sequels and replies, in the syntax of phrase.ts. */
export interface Lines {
  mood: Mood;
  /** Limits the texts to this time. */
  when?: Season | DayPart;
  texts: readonly string[];
  /** Sentences that can follow each text, in any order. */
  more?: readonly string[];
  /** List items; the texts are headings of the list. */
  items?: readonly string[];
  replies?: readonly string[];
}

export interface Topic {
  lines: readonly Lines[];
  /** Replies to all texts of the topic except questions. */
  replies: readonly string[];
}
