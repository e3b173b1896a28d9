import { byRule } from './mutation.ts';

const largestIdsTest = 'server/db/largest-ids.test.ts';

/** What is asked of an engine, and a change of it: rules 116 and 117. */
export const engines = byRule({
  116: {
    'an id above 2^53 is read as another one on PostgreSQL': {
      change: ['server/db/postgres/exact-number.ts', 'if (Number.isSafeInteger(number))', 'if (number)'],
      test: [largestIdsTest, 'fails the query instead of becoming another id'],
    },
    'an id above 2^53 from outside is that of another post': {
      change: ['server/db/parse-id.ts', 'Number.isSafeInteger(number) ? number', 'number ? number'],
      test: [largestIdsTest, 'a larger one from outside is that of nothing'],
    },
    'lists end before the largest ids': {
      change: ['server/features/posts/rules.ts', '[0-9a-z]{1,11}', '[0-9a-z]{1,10}'],
      test: [largestIdsTest, 'work up to the last number below'],
    },
  },
  117: {
    'open streams hear nothing after a move to a server with lower positions': {
      change: ['server/live/broadcast.ts', '(await newestPosition(read)) >= position', 'true'],
      test: ['server/live/events-postgres.test.ts', 'after a move to another server'],
    },
  },
});
