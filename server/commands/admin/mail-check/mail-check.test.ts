import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runAdmin, runCommand } from '../../../../test/kit/command-process.ts';
import { startDnsServer, type Zone } from '../../../../test/kit/dns-server.ts';
import { freshPlace, openFresh, type OpenedDatabase } from '../../../../test/kit/engines.ts';
import { broken, dkimName, fine, own, sound } from '../../../../test/kit/mail-zones.ts';
import { startMailServer } from '../../../../test/kit/smtp.ts';
import { readConfig } from '../../../config.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { carryOut } from '../carry-out.ts';
import type { Finding } from './checks.ts';
import { mailCheckWith } from './mail-check.ts';

describe('mail-check', () => {
  let fresh: OpenedDatabase;
  let folder: string;
  let settings: NodeJS.ProcessEnv;
  before(async () => {
    fresh = await openFresh('sqlite');
    folder = await mkdtemp(join(tmpdir(), 'stena-mail-check-'));
    await writeFile(join(folder, 'dkim.pem'), own.pem);
    settings = {
      MAIL_FROM: 'Стена <wall@example.org>',
      SMTP_URL: 'smtp://mail.example.org',
      DKIM_KEY_FILE: join(folder, 'dkim.pem'),
      DKIM_SELECTOR: 'wall',
    };
  });
  after(async () => {
    await fresh.close();
    await rm(folder, { recursive: true });
  });

  async function check(zone: Zone, env: NodeJS.ProcessEnv = settings, target?: string) {
    await using dns = await startDnsServer(zone);
    const run = (json: boolean) =>
      carryOut(fresh.db, readConfig(env), {
        command: mailCheckWith(dns.resolver),
        target,
        value: undefined,
        options: json ? { json } : {},
      });
    const { output, failed } = await run(false);
    const { findings } = JSON.parse((await run(true)).output) as { findings: Finding[] };
    return { output, failed, states: Object.fromEntries(findings.map(({ check: name, state }) => [name, state])) };
  }

  const allGood = { SPF: 'good', DKIM: 'good', DMARC: 'good', MX: 'good', PTR: 'good' };

  test('finds nothing to improve where everything is in order', async () => {
    const { output, failed, states } = await check(sound);
    assert.deepEqual(states, allGood, output);
    assert.equal(failed, false);
    assert.doesNotMatch(output, /ИСПРАВИТЬ|НЕИЗВЕСТНО/);
    for (const [how, change] of fine) {
      const changed = await check({ ...sound, ...change });
      assert.deepEqual(changed.states, allGood, `${how}: ${changed.output}`);
    }
  });

  for (const [how, change, name, text] of broken) {
    test(`finds ${how}`, async () => {
      const { output, failed, states } = await check({ ...sound, ...change });
      const isUnknown = /times out|fails/.test(how);
      assert.deepEqual(states, { ...allGood, [name]: isUnknown ? 'unknown' : 'missing' }, output);
      assert.match(output, text);
      assert.equal(failed, true);
      assert.equal(output.includes('ИСПРАВИТЬ'), !isUnknown);
    });
  }

  test('accepts the DMARC record of a parent domain', async () => {
    const zone = { ...sound };
    for (const [key, value] of Object.entries(sound))
      zone[key.replace(/(?<!mail\.)\bexample\.org (TXT|MX)$/, 'wall.example.org $1')] = value;
    zone['_dmarc.wall.example.org TXT'] = [];
    zone['wall._domainkey.wall.example.org TXT'] = sound[dkimName]!;
    const { output, states } = await check(zone, { ...settings, MAIL_FROM: 'wall@wall.example.org' });
    assert.deepEqual(states, allGood, output);
  });

  test('leaves to the operator what only the mail service knows', async () => {
    const zone: Zone = {
      ...sound,
      'smtp.service.net A': ['198.51.100.9'],
      'example.org TXT': ['v=spf1 include:spf.service.net ~all'],
      'spf.service.net TXT': ['v=spf1 ip4:198.51.100.64/26 -all'],
    };
    const { SMTP_URL: _, DKIM_KEY_FILE: __, DKIM_SELECTOR: ___, ...rest } = settings;
    const { output, failed, states } = await check(zone, {
      ...rest,
      SMTP_URL: 'smtps://wall:hidden-word@smtp.service.net',
    });
    assert.deepEqual(states, { ...allGood, SPF: 'unchecked', DKIM: 'unchecked', PTR: 'unchecked' });
    assert.equal(failed, false);
    assert.match(output, /сервис smtp\.service\.net/);
    assert.doesNotMatch(output, /hidden-word/);
  });

  test('finds that mails are neither sent nor signed', async () => {
    const { output, failed, states } = await check(sound, { MAIL_FROM: 'wall@example.org' });
    assert.deepEqual(states, { ...allGood, SMTP: 'missing', SPF: 'unchecked', DKIM: 'missing', PTR: 'unchecked' });
    assert.equal(failed, true);
    assert.match(output, /SMTP_URL не задан/);
    assert.match(output, /DKIM_KEY_FILE и DKIM_SELECTOR/);
  });

  test('sends a test letter and reports what the mail server says', async () => {
    await using mail = await startMailServer();
    const env = { ...settings, SMTP_URL: mail.url };
    const sent = await check(sound, env, 'Anna@example.org');
    assert.equal(sent.states['Письмо'], 'good', sent.output);
    const { source, text } = await mail.mailTo('anna@example.org');
    assert.match(text, /пробное письмо/);
    assert.match(source, /^DKIM-Signature: /m);
    mail.refuse(() => 550);
    const refused = await check(sound, env, 'anna@example.org');
    assert.equal(refused.states['Письмо'], 'missing');
    assert.equal(refused.failed, true);
    assert.match(refused.output, /сервер не принял его: .*refused/);
    await assert.rejects(check(sound, env, 'nobody'), /Это не адрес почты: nobody/);
    await assert.rejects(check(sound, { SMTP_URL: mail.url }), /MAIL_FROM: нужен адрес в вашем домене/);
  });

  test('shows records of others without control characters', async () => {
    const { output } = await check({ ...sound, '_dmarc.example.org TXT': ['v=DMARC1; p=\u001b[31m'] });
    assert.match(output, /\\u001b\[31m/);
  });

  test('the command ends with status 1 when something is missing', async () => {
    await using place = await freshPlace('sqlite');
    await (await openDatabase(place.place, () => {})).close();
    const env = { MAIL_FROM: 'wall@stena.invalid' };
    const { code, output } = await runCommand('server/commands/admin/main.ts', place.place, ['mail-check'], env);
    assert.equal(code, 1);
    assert.match(output, /^Письма от имени stena\.invalid\n\nИСПРАВИТЬ +SMTP: /);
    assert.match((await runAdmin(place.place, 'mail-check', 'a', 'b')).errors, /^Лишнее слово/);
  });
});
