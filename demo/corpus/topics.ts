import { city, transport, weather } from './city.ts';
import { cats, cooking, kids } from './home.ts';
import { dacha, repair } from './house.ts';
import { books, health, music, sport } from './leisure.ts';
import { links, lists } from './lists.ts';
import { notices, questions } from './questions.ts';
import { stories } from './stories.ts';
import { jokes, moments, opinions } from './talk.ts';
import type { Topic } from './topic.ts';
import { work } from './work.ts';

/** All topics of the demo wall. */
export const topics: readonly Topic[] = [
  city,
  transport,
  weather,
  cooking,
  cats,
  kids,
  repair,
  dacha,
  books,
  sport,
  music,
  health,
  work,
  questions,
  notices,
  opinions,
  jokes,
  moments,
  lists,
  links,
  stories,
];
