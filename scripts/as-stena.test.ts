import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

const deployed = (name: string): string => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8');

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

  test('refuses a value that a shell would read otherwise, and names the setting without the value', () => {
    const unquoted = [...'&;|()<>\'"\\`$ \t\r'].map((character) => `hidden${character}part`);
    const quoted = ['"hidden$part"', '"hidden`part"', '"hidden\\part"', '"hidden"part', "'hidden'part", '"hidden'];
    for (const value of [...unquoted, ...quoted]) {
      const { stdout, stderr, status } = printed('GOOD', `GOOD=1\nDATABASE_URL=${value}\n`);
      assert.deepEqual([stdout, status], ['', 1], value);
      assert.match(stderr, /^[^\n]+: DATABASE_URL\n$/, value);
      assert.doesNotMatch(stderr, /hidden|part/, value);
    }
  });

  test('runs nothing that stands in the file', () => {
    const { stdout, stderr, status } = printed('GOOD', 'GOOD=1\necho hidden\nOTHER = 2\n; note\n');
    assert.deepEqual([stdout, status], ['', 1]);
    assert.match(stderr, /^[^\n]+: 2 OTHER 4\n$/);
  });
});
