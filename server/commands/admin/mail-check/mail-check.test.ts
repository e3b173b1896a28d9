import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runAdmin, runCommand } from '../../../../test/kit/command-process.ts';
import { reverseName, startDnsServer, type Zone } from '../../../../test/kit/dns-server.ts';
import { freshPlace, openFresh, type OpenedDatabase } from '../../../../test/kit/engines.ts';
import { startMailServer } from '../../../../test/kit/smtp.ts';
import { readConfig } from '../../../config.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { carryOut } from '../carry-out.ts';
import type { Finding } from './checks.ts';
import { mailCheckWith } from './mail-check.ts';

const [four, six] = ['203.0.113.25', '2001:db8::25'];
const dkimName = 'wall._domainkey.example.org TXT';

const keyPair = (): { pem: string; record: string } => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    record: `v=DKIM1; k=rsa; p=${publicPart(privateKey)}`,
  };
};
const publicPart = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');

const own = keyPair();

/** A domain whose mails arrive. */
const sound: Zone = {
  'mail.example.org A': [four],
  'mail.example.org AAAA': [six],
  'example.org TXT': ['google-site-verification=abc', `v=spf1 ip4:203.0.113.0/24 ip6:2001:db8::/32 -all`],
  [dkimName]: [own.record],
  '_dmarc.example.org TXT': ['v=DMARC1; p=none; rua=mailto:a@example.org'],
  'example.org MX': ['10 mail.example.org'],
  [`${reverseName(four)} PTR`]: ['mail.example.org'],
  [`${reverseName(six)} PTR`]: ['mail.example.org'],
};

/** Changes to it, the check that must find each, and what the operator reads. */
const broken: Array<[how: string, change: Zone, check: Finding['check'], text: RegExp]> = [
  [
    'no SPF',
    { 'example.org TXT': ['other=1', 'v=spf10 -all'] },
    'SPF',
    /записи нет[^]*TXT для example\.org:\n +v=spf1 ip4:203\.0\.113\.25 ip6:2001:db8::25 -all/,
  ],
  ['SPF with +all', { 'example.org TXT': [`v=spf1 ip4:${four} +all`] }, 'SPF', /с любого адреса/],
  ['SPF with a bare all', { 'example.org TXT': [`v=spf1 all`] }, 'SPF', /с любого адреса/],
  [
    'SPF that includes +all',
    { 'example.org TXT': ['v=spf1 include:other.org -all'], 'other.org TXT': ['v=spf1 +all'] },
    'SPF',
    /с любого адреса/,
  ],
  [
    'SPF without the sender',
    { 'example.org TXT': ['v=spf1 ip4:192.0.2.7 ~all'] },
    'SPF',
    /нет адреса 203\.0\.113\.25[^]*v=spf1 ip4:203\.0\.113\.25 ip4:192\.0\.2\.7 ~all/,
  ],
  [
    'SPF without one of its addresses',
    { 'example.org TXT': [`v=spf1 ip4:${four} -all`] },
    'SPF',
    /нет адреса 2001:db8::25/,
  ],
  ['SPF that excludes the sender', { 'example.org TXT': ['v=spf1 -a:mail.example.org +mx -all'] }, 'SPF', /нет адреса/],
  ['two SPF records', { 'example.org TXT': [`v=spf1 ip4:${four} -all`, 'v=spf1 mx -all'] }, 'SPF', /записей несколько/],
  [
    'an invalid SPF',
    { 'example.org TXT': ['v=spf1 ipv4:203.0.113.25 -all'] },
    'SPF',
    /недействительна из-за «ipv4:203/,
  ],
  [
    'SPF that includes nothing',
    { 'example.org TXT': ['v=spf1 include:other.org -all'] },
    'SPF',
    /из-за «include:other\.org»/,
  ],
  [
    'SPF that includes itself',
    { 'example.org TXT': ['v=spf1 include:example.org -all'] },
    'SPF',
    /из-за «include:example\.org»/,
  ],
  [
    'no DKIM record',
    { [dkimName]: [] },
    'DKIM',
    /ключа в DNS нет[^]*TXT для wall\._domainkey\.example\.org:\n +v=DKIM1; k=rsa; p=MII/,
  ],
  ['the DKIM record of another key', { [dkimName]: [keyPair().record] }, 'DKIM', /другой ключ/],
  ['a revoked DKIM key', { [dkimName]: ['v=DKIM1; p='] }, 'DKIM', /другой ключ/],
  [
    'no DMARC',
    { '_dmarc.example.org TXT': ['something else'] },
    'DMARC',
    /записи нет[^]*_dmarc\.example\.org:\n +v=DMARC1; p=none/,
  ],
  [
    'DMARC without a policy',
    { '_dmarc.example.org TXT': ['v=DMARC1; rua=mailto:a@example.org'] },
    'DMARC',
    /недействительна/,
  ],
  ['DMARC with an unknown policy', { '_dmarc.example.org TXT': ['v=DMARC1; p=deny'] }, 'DMARC', /недействительна/],
  ['two DMARC records', { '_dmarc.example.org TXT': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, 'DMARC', /несколько/],
  ['no MX', { 'example.org MX': [] }, 'MX', /записи нет[^]*MX для example\.org:\n +10 mail\.example\.org/],
  ['an MX that takes no mail', { 'example.org MX': ['0 '] }, 'MX', /записи нет/],
  [
    'an MX without an address',
    { 'example.org MX': ['10 gone.example.org'] },
    'MX',
    /у имени gone\.example\.org нет адреса/,
  ],
  ['no PTR', { [`${reverseName(four)} PTR`]: [] }, 'PTR', /у адреса 203\.0\.113\.25 нет имени[^]*mail\.example\.org/],
  [
    'a PTR that leads elsewhere',
    { [`${reverseName(six)} PTR`]: ['host25.example.net'], 'host25.example.net AAAA': ['2001:db8::26'] },
    'PTR',
    /не ведёт обратно/,
  ],
  [
    'SPF that times out',
    { 'example.org TXT': 'silence' },
    'SPF',
    /проверить не удалось: нет ответа о example\.org \(ETIMEOUT\)/,
  ],
  [
    'an SPF server that fails',
    { 'example.org TXT': 'SERVFAIL' },
    'SPF',
    /проверить не удалось: ошибка в ответе о example\.org \(ESERVFAIL\)/,
  ],
  ['DKIM that times out', { [dkimName]: 'silence' }, 'DKIM', /проверить не удалось: нет ответа/],
  ['a DMARC server that fails', { '_dmarc.example.org TXT': 'SERVFAIL' }, 'DMARC', /проверить не удалось: ошибка/],
];

/** Changes after which everything is still in order. */
const fine: Array<[how: string, change: Zone]> = [
  ['addresses by name', { 'example.org TXT': ['v=spf1 a:mail.example.org -all'] }],
  ['addresses of the MX', { 'example.org TXT': ['v=spf1 exp=why.example.org MX ?all'] }],
  [
    'a redirect to an include',
    {
      'example.org TXT': ['v=spf1 redirect=_spf.example.org'],
      '_spf.example.org TXT': ['v=spf1 include:a.example.org ~all'],
      'a.example.org TXT': [`v=spf1 ip4:${four} ip6:${six} -all`],
    },
  ],
  ['a DKIM record in parts with spaces', { [dkimName]: [own.record.replaceAll('; ', ' ;  ').replace('MII', 'MI I')] }],
  ['a second name of the address', { [`${reverseName(four)} PTR`]: ['other.example.net', 'mail.example.org'] }],
];

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
