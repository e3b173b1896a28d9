import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import type { CallSchemas } from '../endpoint.ts';
import { summaries } from '../summaries.ts';
import { table } from '../table.ts';
import * as values from './values.ts';

test('every call has an example, and every part of it satisfies its schema', () => {
  assert.ok(table.length > 60, 'the calls have been found');
  for (const { name, schemas, example } of table) {
    for (const part of ['params', 'query', 'body', 'reply'] as const satisfies readonly (keyof CallSchemas)[]) {
      const schema = schemas[part];
      if (!schema) assert.equal(example[part], undefined, `${name}: ${part}`);
      // Optional parts of a query need no example.
      else if (part !== 'query' || example.query !== undefined) {
        assert.deepEqual(Value.Errors(schema, example[part]), [], `${name}: ${part}`);
      }
    }
  }
});

test('every call has a summary, and every summary a call', () => {
  assert.deepEqual(Object.keys(summaries).toSorted(), table.map(({ name }) => name).toSorted());
});

test('no value that a curl line contains is a part of another one', () => {
  const { ownPostId, otherPostId, operationId, clientToken, confirmCode, email, newEmail, newUsername } = values;
  const put = [ownPostId, otherPostId, operationId, clientToken, confirmCode, email, newEmail, newUsername];
  for (const one of put) for (const other of put) assert.ok(one === other || !other.includes(one), `${one}, ${other}`);
});
