import assert from 'node:assert/strict';
import { ConfigError } from '../../server/config-values.ts';
import { readConfig } from '../../server/config.ts';

export const secret = 'a'.repeat(32);
export const postgres = { DATABASE_URL: 'postgres://wall:hidden-word@db.example:5432/wall', SECRET: secret };

export function assertRejected(env: NodeJS.ProcessEnv, setting: string): void {
  assert.throws(
    () => readConfig(env),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, new RegExp(`^${setting} must .+[.]$`));
      assert.doesNotMatch(error.message, /hidden-word/);
      assert.equal(error.message.split('\n').length, 1, error.message);
      return true;
    },
    `${setting}: ${JSON.stringify(env)}`,
  );
}
