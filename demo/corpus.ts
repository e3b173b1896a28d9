import city from './corpus/city.json' with { type: 'json' };
import home from './corpus/home.json' with { type: 'json' };
import house from './corpus/house.json' with { type: 'json' };
import leisure from './corpus/leisure.json' with { type: 'json' };
import lists from './corpus/lists.json' with { type: 'json' };
import phraseLists from './corpus/phrases.json' with { type: 'json' };
import questions from './corpus/questions.json' with { type: 'json' };
import stories from './corpus/stories.json' with { type: 'json' };
import talk from './corpus/talk.json' with { type: 'json' };
import work from './corpus/work.json' with { type: 'json' };

export type Season = 'winter' | 'spring' | 'summer' | 'autumn';
export type DayPart = 'morning' | 'day' | 'evening' | 'night';

/** The mood of a post determines the kind of replies to it. */
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

export const topics = [city, home, house, leisure, work, questions, talk, lists, stories].flatMap(
  (file) => Object.values(file) as readonly Topic[],
);

type ByMood = Record<Mood, readonly string[]>;

interface PhraseLists {
  /** Optional beginnings of a post of one paragraph. */
  preludes: ByMood;
  /** Optional endings of a post. */
  closings: ByMood;
  emoji: ByMood;
  /** Complete replies to any post of the mood. */
  reactions: ByMood;
  openings: ByMood;
  /** Replies to replies. */
  remarks: readonly string[];
  /** Replies of the author of a discussion to replies. */
  authorRemarks: ByMood;
  /** Replies to remarks of the author. */
  welcomes: readonly string[];
  /** Replies in a talk of two people who have replied to each other before. They suit every subject. */
  exchanges: readonly string[];
}

export const phrases: PhraseLists = phraseLists;
