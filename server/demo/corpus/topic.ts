export type Season = 'winter' | 'spring' | 'summer' | 'autumn';
export type DayPart = 'morning' | 'day' | 'evening' | 'night';

/** What kind of answer a post calls for. */
export const moods = ['joy', 'grumble', 'talk', 'ask', 'notice'] as const;
export type Mood = (typeof moods)[number];

/** Lines that may stand for each other: the same sequels and replies fit all of them. Phrases as in phrase.ts. */
export interface Lines {
  mood: Mood;
  /** Said only then. */
  when?: Season | DayPart;
  texts: readonly string[];
  /** Sentences that may follow any of the texts, in any order. */
  more?: readonly string[];
  /** The texts are headings; these are the points below them. */
  items?: readonly string[];
  replies?: readonly string[];
}

export interface Topic {
  lines: readonly Lines[];
  /** Fit any line of the topic that is not a question. */
  replies: readonly string[];
}
