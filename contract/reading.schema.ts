import { Type } from 'typebox';
import { id, named, nullable, object } from './common.schema.ts';

/** `feed`, or `thread:` with the id of a root post. */
const list = Type.String({
  pattern: '^(feed|thread:[1-9][0-9]{0,15})$',
  description: '`feed` — лента, `thread:ID` — обсуждение корневой записи ID.',
});

/** How far a person has read a list: the newest post they have read there. It never moves back. */
export const readingPosition = named('ReadingPosition', { list, post_id: id });

const position = nullable(id);

export const getReading = {
  query: Type.Object({
    thread: Type.Optional(Type.String({ minLength: 1, description: 'Корневая запись, чьё обсуждение интересует.' })),
  }),
  reply: named('Reading', { feed: position, thread: position }),
};
export const putReading = {
  body: object({ list, post_id: id }),
  reply: object({ post_id: id }),
};
