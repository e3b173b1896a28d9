import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import type { MailFinding } from '#contract/wall-admin.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { appoint } from '../test/kit/desk.ts';
import { migratedStorage } from '../test/kit/engines.ts';
import { SECRET, settingsOf, startListening } from '../test/kit/server-process.ts';
import { newUser, signedIn } from '../test/kit/signed-in.ts';

const deployed = (name: string): string => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8');

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'stena-deploy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The lines of a unit in deploy/ that restrict its process. */
function restrictions(unit: string): string[] {
  const text = deployed(`systemd/${unit}`);
  return text
    .slice(text.indexOf('NoNewPrivileges=yes'))
    .split('\n')
    .filter((line) => /^[A-Z]\w+=/.test(line) && !line.startsWith('WantedBy='));
}

test('the backup unit has the same restrictions as the server unit', () => {
  const server = restrictions('stena.service');
  assert.ok(server.length >= 22);
  assert.deepEqual(restrictions('stena-backup.service'), server);
});

test('a failed backup writes a critical line and runs the notification of the operator', (t) => {
  const failed = /^OnFailure=(\S+)$/m.exec(deployed('systemd/stena-backup.service'))![1]!;
  const folder = emptyFolder(t);
  const commands = [
    ...deployed(`systemd/${failed}`)
      .replaceAll('/etc/stena', folder)
      .matchAll(/^ExecStart=(.+)$/gm),
  ];
  const printed = (): string[] =>
    commands.map(([, command]) => {
      const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command!], { encoding: 'utf8' });
      assert.deepEqual([stderr, status], ['', 0]);
      return stdout;
    });
  assert.match(printed().join(''), /^<2>THE BACKUP OF STENA HAS FAILED.*\n$/);
  writeFileSync(join(folder, 'backup-failed'), '#!/bin/sh\necho sent\n', { mode: 0o755 });
  assert.equal(printed()[1], 'sent\n');
});

test('a rolling restart by the guide waits until HAProxy has asked the process twice', () => {
  const guide = readFileSync(new URL('../docs/guide/postgres.md', import.meta.url), 'utf8');
  const loop = /```sh\nfor port in .+?```/s.exec(guide)![0];
  const [, seconds] = /\n {2}sleep (\d+)\b.*\ndone/.exec(loop) ?? assert.fail(`no pause in:\n${loop}`);
  const [, interval] = /default-server check inter (\d+)s /.exec(deployed('haproxy.cfg'))!;
  assert.ok(Number(seconds) > 2 * Number(interval));
});

test('the backup unit runs a command that the launcher knows', () => {
  const [, command] = /^ExecStart=\/opt\/stena\/stena (\S+) \/var\/lib\/stena-backup$/m.exec(
    deployed('systemd/stena-backup.service'),
  )!;
  const { stderr } = spawnSync(join(import.meta.dirname, '../stena'), [command!], { encoding: 'utf8' });
  assert.equal(stderr, `Команда пишется так: ./stena ${command} ПАПКА [--every-night]\n`);
});

/** The numbers of address families on Linux. */
const families: Record<string, number> = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16 };
const [socketCall, prctl] = process.arch === 'arm64' ? [198, 167] : [41, 157];

/** A filter for the calls of a process and of programs that replace it, as systemd makes it for RestrictAddressFamilies. */
function restricted(allowed: readonly number[]): string[] {
  const filter = [
    [0x20, 0, 0, 0], // the number of the call
    [0x15, 0, allowed.length + 2, socketCall],
    [0x20, 0, 0, 16], // its first argument
    ...allowed.map((family, i) => [0x15, allowed.length - i, 0, family]),
    [0x06, 0, 0, 0x0005_0000 | constants.errno.EAFNOSUPPORT],
    [0x06, 0, 0, 0x7fff_0000],
  ].map(([code, yes, no, value]) => {
    const bytes = Buffer.from([code!, 0, yes!, no!, 0, 0, 0, 0]);
    bytes.writeUInt32LE(value!, 4);
    return bytes.toString('hex');
  });
  // PR_SET_NO_NEW_PRIVS, then PR_SET_SECCOMP with a filter.
  const program = `
    my $filter = pack 'H*', '${filter.join('')}';
    my $described = pack 'S x![P] P', ${filter.length}, $filter;
    syscall(${prctl}, 38, 1, 0, 0, 0) and die "no_new_privs: $!";
    syscall(${prctl}, 22, 2, $described, 0, 0) and die "seccomp: $!";
    exec @ARGV;`;
  return ['perl', '-e', program, '--'];
}

test('the server checks its mail with the address families that the unit allows', async (t) => {
  const allowed = /^RestrictAddressFamilies=(.+)$/m
    .exec(deployed('systemd/stena.service'))![1]!
    .split(' ')
    .map((name) => families[name]!);
  const { storage, remove } = await migratedStorage('sqlite');
  t.after(remove);
  const db = await openDatabase(storage, assert.fail);
  const id = await newUser(db, 'anna_');
  await appoint({ db }, { id: String(id) }, 'owner');
  const { token } = await signedIn(db, id);
  await db.close();

  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'wall@stena.invalid' };
  const env = { ...settingsOf(storage), SECRET, PORT: '0', ...mail };
  await using server = await startListening('server/main.ts', env, '', restricted(allowed));
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.address}/api/v1/keep/mail`, { method: 'POST', headers });
  const { findings } = (await response.json()) as { findings: MailFinding[] };
  const checks = findings.map(({ check }) => check);
  for (const check of ['SPF', 'DMARC', 'MX']) assert.ok(checks.includes(check), JSON.stringify(findings));
});

describe('as-stena', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stena-as-'));
  after(() => rmSync(folder, { recursive: true }));
  const [script, settings] = [join(folder, 'as-stena'), join(folder, 'stena.env')];
  writeFileSync(
    script,
    deployed('as-stena')
      .replaceAll(/\/(etc|opt)\/stena\b/g, folder)
      .replaceAll('/var/lib', folder),
  );
  // Runs the command as the user of the test: runuser -u stena -- COMMAND.
  writeFileSync(join(folder, 'runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 });
  // Makes a folder for that user: install -d -o stena -g stena -m 700 FOLDER.
  writeFileSync(join(folder, 'install'), '#!/bin/sh\nmkdir "$8" && echo "$*" > "$8/made"\n', { mode: 0o755 });

  /** Runs a command that prints a setting. */
  function printed(name: string, lines: string) {
    writeFileSync(settings, lines);
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    return spawnSync('sh', [script, 'printenv', name], { encoding: 'utf8', env });
  }

  test('passes on what the service gets from the same file', () => {
    const url = 'postgres://stena:p~#%26!*?@[::1]/stena?sslmode=verify-full';
    const values = [url, `"${url}&sslrootcert=/etc/stena/ca.pem"`, "'a $ & b'", '"Стена <wall@example.org>"', '', '""'];
    for (const value of values) {
      for (const line of [`URL=${value}\n`, `# $ & note\n\n  URL=${value} \t\nOTHER=1\n`, `URL=${value}`]) {
        const { stdout, stderr, status } = printed('URL', line);
        assert.deepEqual([stdout, stderr, status], [`${value.replaceAll(/^["']|["']$/g, '')}\n`, '', 0], line);
      }
    }
    const example = deployed('stena.env').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
    assert.equal(printed('MAIL_FROM', example).stdout, 'Стена <wall@example.org>\n');
    assert.match(printed('DATABASE_URL', example).stdout, /^postgres:/);
  });

  test('makes the folders that a service would make at its first start, once', () => {
    const folders = ['stena', 'stena-backup'].map((name) => join(folder, name));
    for (const path of folders) rmSync(path, { recursive: true, force: true });
    for (let times = 0; times < 2; times += 1) assert.equal(printed('GOOD', 'GOOD=1\n').status, 0);
    for (const path of folders) {
      assert.equal(readFileSync(join(path, 'made'), 'utf8'), `-d -o stena -g stena -m 700 ${path}\n`);
    }
  });

  test('refuses what a shell would read otherwise or run, and names the setting or the line without the value', () => {
    const unquoted = [...'&;|()<>\'"\\`$ \t\r'].map((character) => `hidden${character}part`);
    const quoted = ['"hidden$part"', '"hidden`part"', '"hidden\\part"', '"hidden"part', "'hidden'part", '"hidden'];
    for (const value of [...unquoted, ...quoted]) {
      const { stdout, stderr, status } = printed('GOOD', `GOOD=1\nDATABASE_URL=${value}\n`);
      assert.deepEqual([stdout, status], ['', 1], value);
      assert.match(stderr, /^[^\n]+: DATABASE_URL\n$/, value);
      assert.doesNotMatch(stderr, /hidden|part/, value);
    }
    const { stdout, stderr, status } = printed('GOOD', 'GOOD=1\necho hidden\nOTHER = 2\n; note\n');
    assert.deepEqual([stdout, status], ['', 1]);
    assert.match(stderr, /^[^\n]+: 2 OTHER 4\n$/);
  });
});
