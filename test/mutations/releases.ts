import { byRule } from './mutation.ts';

const upgradeTest = 'test/upgrade/upgrade.test.ts';

/** Data of earlier releases: rule 118. */
export const releases = byRule({
  118: {
    'the write-ahead log that a kill left is thrown away': {
      change: [
        'server/db/sqlite/migrate-sqlite.ts',
        '  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });',
        "  process.getBuiltinModule('node:fs').rmSync(`${file}-wal`, { force: true });\n  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });",
      ],
      test: [upgradeTest, 'opens a killed wall of an earlier release'],
    },
    'a migration of an earlier release has changed': {
      change: [
        'server/db/migrations/0001-initial.sqlite.sql',
        'create table likes (',
        'create table likes (note text,',
      ],
      test: [upgradeTest, 'restores the backup of an earlier release'],
    },
    'newer data is opened': {
      change: ['server/db/migrate.ts', 'if (current > newest) {', 'if (current > newest + 1e6) {'],
      test: [upgradeTest, 'refuses newer data with one line'],
    },
  },
});
