import { byRule } from './mutation.ts';

const largestIdsTest = 'server/db/largest-ids.test.ts';
const sequencerOrder = 'server/db/postgres/sequencer-order.ts';
const sequencerTest = 'server/db/postgres/sequencer-order.test.ts';

/** What is asked of an engine, and a change of it: rules 116, 117 and 125. */
export const engines = byRule({
  116: {
    'an id above 2^53 is read as another one on PostgreSQL': {
      change: ['server/db/postgres/open-postgres.ts', 'if (Number.isSafeInteger(number))', 'if (number)'],
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
  125: {
    'changes are numbered when they are written, before others can see them': {
      change: [
        'server/db/migrations/order-by-sequencer.sql',
        `create table changes (
  position bigint not null default 9007199254740991,`,
        `create sequence numbers;
create table changes (
  position bigint not null default nextval('numbers'),`,
      ],
      test: [sequencerTest, 'gives all processes the same changes in the same order'],
    },
    'the turn of a process lasts until it has got an answer': {
      change: [
        'server/db/postgres/announcements.ts',
        'const numbered = number && client.query(number);',
        `if (number) {
      await client.query('begin');
      await client.query(number);
      await client.query('commit');
    }
    const numbered = undefined;`,
      ],
      test: [sequencerTest, 'goes on while another process is stopped at any moment'],
    },
    'two turns get the same number': {
      change: [sequencerOrder, 'update sequencer set last = last + 1', 'update sequencer set last = greatest(last, 1)'],
      test: [sequencerTest, 'gives all processes the same changes in the same order'],
    },
    'a write that has not been read is taken for read': {
      change: [sequencerOrder, 'return this.#marks.has(mark);', 'return this.#marks.has(mark) || mark > 0;'],
      test: ['server/features/sessions/own-writes.test.ts', 'it reads through the other at once, ordered by sequencer'],
    },
    'numbers that were lost are not noticed': {
      change: [sequencerOrder, "then 'numbers were lost'", "then ''"],
      test: [sequencerTest, 'is followed from anew when numbers were lost'],
    },
    'a wall on an engine that has learned to number transactions is read by their numbers': {
      change: [
        'server/db/postgres/choose-order.ts',
        'isByTransactions = hasTables',
        'isByTransactions = hasTables && false',
      ],
      test: [sequencerTest, 'is chosen where transactions have no numbers, and stays with the tables'],
    },
  },
});
