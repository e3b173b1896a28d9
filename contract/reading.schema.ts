import { Type } from 'typebox';
import { id, strict } from './common.schema.ts';

/** `feed`, or `thread:` with the id of a root post. */
const list = Type.String({
  pattern: '^(feed|thread:[1-9][0-9]{0,15})$',
  description: '`feed` — лента, `thread:ID` — обсуждение корневой записи ID.',
});

/** How far a person has read a list: the newest post they have read there. It never moves back. */
export const readingPosition = Type.Object({ list, post_id: id }, { ...strict, title: 'ReadingPosition' });

const position = Type.Union([id, Type.Null()]);

export const getReading = {
  query: Type.Object({
    thread: Type.Optional(Type.String({ minLength: 1, description: 'Корневая запись, чьё обсуждение интересует.' })),
  }),
  reply: Type.Object({ feed: position, thread: position }, { ...strict, title: 'Reading' }),
};
export const putReading = {
  body: Type.Object({ list, post_id: id }, strict),
  reply: Type.Object({ post_id: id }, strict),
};
