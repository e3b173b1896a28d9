import { limits } from '#contract/limits.ts';
import { type Mood, moods, phrases } from './corpus.ts';
import { Deck } from './deck.ts';
import type { Person } from './people.ts';
import { phrase, type Phrase } from './phrase.ts';
import type { Random } from './random.ts';
import { inStyle } from './style.ts';
import type { Subject } from './subjects.ts';

type ByMood = Record<Mood, Deck<Phrase>>;

/** Generates the texts of posts and replies from the corpus. */
export class Speech {
  #random: Random;
  #reactions: ByMood;
  #openings: ByMood;
  #preludes: ByMood;
  #closings: ByMood;
  #authorRemarks: ByMood;
  #remarks: Deck<Phrase>;
  #welcomes: Deck<Phrase>;
  #exchanges: Deck<Phrase>;

  constructor(random: Random) {
    this.#random = random;
    const deck = (list: readonly string[]) => new Deck(random, list.map(phrase));
    const byMood = (lists: Record<Mood, readonly string[]>) =>
      Object.fromEntries(moods.map((mood) => [mood, deck(lists[mood])])) as ByMood;
    this.#reactions = byMood(phrases.reactions);
    this.#openings = byMood(phrases.openings);
    this.#preludes = byMood(phrases.preludes);
    this.#closings = byMood(phrases.closings);
    this.#authorRemarks = byMood(phrases.authorRemarks);
    this.#remarks = deck(phrases.remarks);
    this.#welcomes = deck(phrases.welcomes);
    this.#exchanges = deck(phrases.exchanges);
  }

  /** A post that starts a thread. */
  post(person: Person, subject: Subject): string {
    const random = this.#random;
    let text = subject.texts.deal()(random, person.gender);
    const add = (separator: string, piece: string): void => {
      // Leaves room for characters that the style adds.
      if (text.length + separator.length + piece.length <= limits.postLength - 4) text += separator + piece;
    };
    if (subject.items.length > 0) {
      const numbered = random.chance(0.4);
      const items = random.shuffled(subject.items).slice(0, 3 + random.below(4));
      items.forEach((item, i) => add('\n', `${numbered ? `${i + 1}.` : '—'} ${item}`));
      return text;
    }
    if (random.chance(0.15) && !text.includes('\n')) {
      text = `${this.#say(this.#preludes[subject.mood], person)} ${text}`;
    }
    const separator = random.pick([' ', ' ', ' ', ' ', '\n', '\n\n']);
    const sequels = Math.floor(random.exponential(0.9));
    for (const sequel of random.shuffled(subject.more).slice(0, sequels)) add(separator, sequel(random, person.gender));
    if (random.chance(0.2)) add(separator, this.#say(this.#closings[subject.mood], person));
    return inStyle(text, person.style, subject.mood, random);
  }

  /** A reply to the post that starts the thread. */
  reply(person: Person, subject: Subject): string {
    const { mood } = subject;
    if (this.#random.chance(0.3)) return this.#styled(this.#say(this.#reactions[mood], person), person, mood);
    const opening = this.#random.chance(0.25) ? `${this.#say(this.#openings[mood], person)} ` : '';
    return this.#styled(opening + this.#say(subject.replies, person), person, mood);
  }

  /** A reply to a reply. */
  remark(person: Person, { mood }: Subject): string {
    return this.#styled(this.#say(this.#remarks, person), person, mood);
  }

  /** A reply of the thread's author to a reply. */
  authorRemark(person: Person, { mood }: Subject): string {
    return this.#styled(this.#say(this.#authorRemarks[mood], person), person, mood);
  }

  /** A reply to a reply of the thread's author. */
  welcome(person: Person): string {
    return this.#styled(this.#say(this.#welcomes, person), person, 'joy');
  }

  /** A reply to somebody who has replied to the same person before. */
  exchange(person: Person, { mood }: Subject): string {
    return this.#styled(this.#say(this.#exchanges, person), person, mood);
  }

  #say(deck: Deck<Phrase>, person: Person): string {
    return deck.deal()(this.#random, person.gender);
  }

  #styled(text: string, person: Person, mood: Mood): string {
    return inStyle(text, person.style, mood, this.#random);
  }
}
