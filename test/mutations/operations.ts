import { byRule } from './mutation.ts';

const secrets = 'server/secrets.ts';
const secretRotationTest = 'server/secret-rotation.test.ts';
const main = 'server/main.ts';
const privateFilesTest = 'server/private-files.test.ts';
const mainTest = 'server/main.test.ts';
const openDatabase = 'server/db/open-database.ts';
const damageTest = 'server/db/sqlite/damage.test.ts';
const sqliteRestore = 'server/commands/backup/sqlite-restore.ts';
const soundnessTest = 'server/commands/backup/soundness.test.ts';
const postgresRestore = 'server/commands/backup/postgres-restore.ts';
const killedTest = 'server/commands/backup/killed.test.ts';
const nodeChecksumTest = 'scripts/node-checksum.test.ts';

/** Secrets, permissions, damaged data and deployment: rules 46–49. */
export const operations = byRule({
  46: {
    'an empty secret in the data folder signs tokens': {
      change: [secrets, 'if (isWeakSecret(secret)) {', 'if (isWeakSecret(secret) && dataDir.length === 0) {'],
      test: ['server/secrets.test.ts', 'rejects an empty or short stored secret'],
    },
    'tokens of the previous secret are rejected': {
      change: [secrets, '|| old.isSignatureOf(signature, text)', ''],
      test: [secretRotationTest, 'until it is removed'],
    },
    'codes of the previous secret are rejected': {
      change: [secrets, '|| old.isMacOfCode(mac, parts)', ''],
      test: [secretRotationTest, 'until it is removed'],
    },
    'mails sealed with the previous secret cannot be unsealed': {
      change: [secrets, 'return old.unseal(sealed);', 'return current.unseal(sealed);'],
      test: [secretRotationTest, 'until it is removed'],
    },
    'a mail that cannot be unsealed makes the whole round of sending fail': {
      change: [
        'server/mail/sender.ts',
        'const content = unsealed(sealed);',
        'const content = JSON.parse(secrets.unseal(sealed)) as Content;',
      ],
      test: ['server/mail/unsealable.test.ts', 'settled as refused'],
    },
  },
  47: {
    'other users of the machine can read the database and the mails': {
      change: [main, 'process.umask(0o077);', ''],
      test: [privateFilesTest, 'of the server'],
    },
    'other users of the machine can read the files of a command': {
      change: ['server/commands/backup/main.ts', 'process.umask(0o077);', ''],
      test: [privateFilesTest, 'files that commands create'],
    },
    'the server runs as root in production': {
      change: [
        main,
        "process.env['NODE_ENV'] !== 'production' || process.getuid?.() !== 0",
        "process.env['NODE_ENV'] !== 'nowhere' || process.getuid?.() !== 0",
      ],
      test: [mainTest, 'does not run as root in production'],
    },
    'packages are installed in production': {
      change: ['scripts/debian-package.mjs', "process.env.NODE_ENV === 'production' || ", ''],
      test: ['scripts/debian-package.test.ts', 'installs nothing with NODE_ENV=production'],
    },
    'X-Forwarded-For is trusted from anybody': {
      change: [
        'server/config.ts',
        "if (length < widestSubnet[family]) throw new Error('wider than a private network');",
        '',
      ],
      test: ['server/config.test.ts', 'are rejected when invalid'],
    },
    'creating the data folder is retried without end': {
      change: [
        'server/data-folder.ts',
        '    await makeWithParents(path);\n    await access',
        '    await mkdir(path, { recursive: true });\n    await access',
      ],
      test: [mainTest, 'the data folder cannot be created'],
    },
    'the error for an unreachable database does not name the setting': {
      change: ['server/db/postgres/connect.ts', 'throw unreachable(client, error);', 'throw error;'],
      test: [mainTest, 'PostgreSQL is unreachable'],
    },
  },
  48: {
    'the server keeps running with a damaged database': {
      change: [openDatabase, 'onDamage: (error) => end(damage(file, error)),', 'onDamage: () => {},'],
      test: [damageTest, 'ends the process'],
    },
    'the error at a start with a damaged database does not name it': {
      change: [
        openDatabase,
        'throw isDamaged(error) ? new StorageUnfit(damage(file, error as Error)) : error;',
        'throw error;',
      ],
      test: [damageTest, 'is reported at startup'],
    },
    'a restore ignores the checksum': {
      change: [sqliteRestore, 'await refuseOtherChecksum(file);', ''],
      test: [soundnessTest, 'detects a flipped bit anywhere in a copy'],
    },
    'a restore on PostgreSQL ignores the checksum': {
      change: [postgresRestore, 'await refuseOtherChecksum(file);', ''],
      test: [soundnessTest, 'detects one flipped bit in a copy on postgres'],
    },
    'a copy with a trigger is restored': {
      change: [sqliteRestore, 'await refuseForeignSchema(file, version);', ''],
      test: [soundnessTest, 'with a trigger or with other tables'],
    },
    'a copy with a trigger that is named like a table of copies is restored': {
      change: ['server/commands/backup/sqlite-copy.ts', "not (type = 'table' and (name = ?", 'not ((name = ?'],
      test: [soundnessTest, 'with a trigger or with other tables'],
    },
    'a PostgreSQL copy with a trigger is restored': {
      change: ['server/commands/backup/postgres-copy.ts', 'await refuseForeign(file);', ''],
      test: [soundnessTest, 'of a PostgreSQL database with a trigger'],
    },
    'a PostgreSQL copy with a trigger that its list does not show is restored': {
      change: [postgresRestore, 'await withClient(databaseUrl, (client) => refuseAdded(client, before));', ''],
      test: [soundnessTest, 'contain more than its list shows'],
    },
    'an empty wall is begun after a restore that was killed': {
      change: [openDatabase, 'await refuseUnfinishedRestore({ databaseUrl, dataDir });', ''],
      test: [killedTest, 'killed before “spawn pg_restore'],
    },
    'a killed move to PostgreSQL leaves a wall without rows': {
      change: [postgresRestore, 'await moveRows(', "await client.query('commit; begin');\n      await moveRows("],
      test: [killedTest, 'killed before “query insert into'],
    },
    'a killed restore leaves the secret of the copy beside the previous database': {
      change: [sqliteRestore, 'await rm(database, { force: true });', ''],
      test: [killedTest, 'killed before “rename'],
    },
  },
  49: {
    'there is no warning for an unencrypted connection to PostgreSQL over a network': {
      change: [main, 'if (clearHost) {', 'if (clearHost && dev) {'],
      test: [mainTest, 'on another host is not encrypted'],
    },
    'any Node binary from the packages is run': {
      change: [
        'scripts/node-checksum.mjs',
        'if (lines.includes(`${found}  ${name}`)) return undefined;',
        'if (lines.length > 0) return undefined;',
      ],
      test: [nodeChecksumTest, 'rejects a Node that is not listed'],
    },
    'production requires the development packages': {
      change: ['scripts/missing-packages.mjs', '!(production && dev)', '!(production && dev && version === undefined)'],
      test: [nodeChecksumTest, 'requires development packages except in production'],
    },
    'the backup unit has permissions that the server lacks': {
      change: ['deploy/systemd/stena-backup.service', 'CapabilityBoundingSet=', ''],
      test: ['scripts/units.test.ts', 'the backup unit has the same restrictions'],
    },
  },
});
