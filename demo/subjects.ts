import { dayPartAt, seasonAt } from './clock.ts';
import { type DayPart, type Lines, type Mood, type Season, type Topic, topics } from './corpus.ts';
import { Deck, type Random } from './random.ts';
import { phrase, type Phrase } from './phrase.ts';

/** A subject of a thread: compiled lines of the corpus. */
export interface Subject {
  mood: Mood;
  texts: Deck<Phrase>;
  more: readonly Phrase[];
  items: readonly string[];
  replies: Deck<Phrase>;
}

interface Offer {
  subject: Subject;
  weight: number;
}

/** Chooses subjects that suit the season and the time of day. */
export class Subjects {
  #random: Random;
  #ready = new Map<Lines, Subject>();
  #offers = new Map<string, Offer[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  at(time: number): Subject {
    const offers = this.#offersAt(seasonAt(time), dayPartAt(time));
    let remaining = this.#random.next() * offers.reduce((sum, { weight }) => sum + weight, 0);
    return (offers.find(({ weight }) => (remaining -= weight) < 0) ?? offers[0]!).subject;
  }

  #offersAt(season: Season, part: DayPart): Offer[] {
    const key = `${season} ${part}`;
    let offers = this.#offers.get(key);
    if (!offers) {
      offers = topics.flatMap((topic) => this.#offersOf(topic, season, part));
      this.#offers.set(key, offers);
    }
    return offers;
  }

  /** Every suitable text has the same probability, which keeps repetitions far apart. */
  #offersOf(topic: Topic, season: Season, part: DayPart): Offer[] {
    return topic.lines
      .filter(({ when }) => when === undefined || when === season || when === part)
      .map((line) => ({ subject: this.#subject(line, topic), weight: line.texts.length }));
  }

  #subject(lines: Lines, topic: Topic): Subject {
    let subject = this.#ready.get(lines);
    if (!subject) {
      subject = {
        mood: lines.mood,
        texts: new Deck(this.#random, lines.texts.map(phrase)),
        more: (lines.more ?? []).map(phrase),
        items: lines.items ?? [],
        replies: new Deck(this.#random, repliesTo(lines, topic).map(phrase)),
      };
      this.#ready.set(lines, subject);
    }
    return subject;
  }
}

function repliesTo({ mood, replies = [] }: Lines, topic: Topic): readonly string[] {
  return mood === 'ask' ? replies : [...replies, ...topic.replies];
}
