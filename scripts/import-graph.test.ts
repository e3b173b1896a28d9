import assert from 'node:assert/strict';
import { test } from 'node:test';

const tests = [
  'contract/username.test.ts',
  'contract/links.test.ts',
  'server/features/account/username.test.ts',
  'web/features/account/username-page.test.ts',
  'test/e2e/account-username.spec.ts',
];

const path: string = './import-graph.mjs';
const { reachedFiles }: { reachedFiles(files: readonly string[], changed: readonly string[]): Set<string> } =
  await import(path);

const reached = (file: string): string[] => [...reachedFiles(tests, [file])];

test('a change runs the tests that import the changed file, also through others', () => {
  assert.deepEqual(reached('contract/links.test.ts'), ['contract/links.test.ts']);
  assert.deepEqual(reached('contract/username.ts'), tests);
  assert.deepEqual(reached('server/features/account/store.ts'), tests.slice(2));
});

test('a change of the browser’s code runs the tests that open pages', () => {
  assert.deepEqual(reached('web/features/account/username-page.tsx'), tests.slice(3));
});

test('a change that nothing imports runs nothing, and one of the packages everything', () => {
  assert.deepEqual(reached('docs/guide/mail.md'), []);
  assert.deepEqual(reached('package-lock.json'), tests);
});
