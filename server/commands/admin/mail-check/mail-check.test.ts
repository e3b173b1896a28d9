import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import systemDns from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runAdmin, runCommand } from '../../../../test/kit/command-process.ts';
import { freshStorage, openFresh, type OpenedDatabase } from '../../../../test/kit/engines.ts';
import { startMailServer } from '../../../../test/kit/smtp.ts';
import { readConfig } from '../../../config.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { carryOut } from '../commands.ts';
import { mailCheckWith } from './mail-check.ts';
import type { Dns, Finding } from '../../../mail/check/records.ts';

/** Records by name and type; a text instead of a list is the code of an error. */
type Zone = Record<string, string[] | string>;

function dnsOf(zone: Zone): Dns {
  const found = async (key: string): Promise<string[]> => {
    const records = zone[key] ?? 'ENOTFOUND';
    if (typeof records === 'string') throw Object.assign(new Error(`${records} ${key}`), { code: records });
    return records;
  };
  return {
    resolve4: (name) => found(`${name} A`),
    resolve6: (name) => found(`${name} AAAA`),
    // Long records come in parts.
    resolveTxt: async (name) => (await found(`${name} TXT`)).map((text) => text.match(/[^]{1,255}/g) ?? []),
    resolveMx: async (name) => (await found(`${name} MX`)).map((exchange) => ({ priority: 10, exchange })),
    reverse: (address) => found(`${address} PTR`),
  };
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const own = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
  .export({ type: 'spki', format: 'der' })
  .toString('base64');
const [four, six] = ['203.0.113.25', '2001:db8::25'];
const dkimName = 'wall._domainkey.example.org TXT';
const dmarcName = '_dmarc.example.org TXT';

/** A domain whose mails arrive. */
const sound: Zone = {
  'mail.example.org A': [four],
  'mail.example.org AAAA': [six],
  'example.org TXT': ['google-site-verification=abc', `v=spf1 ip6:${six} ip4:${four} -all`],
  [dkimName]: [`v=DKIM1; k=rsa; p=${own}`],
  [dmarcName]: ['v=DMARC1; p=none; rua=mailto:a@example.org'],
  'example.org MX': ['mail.example.org'],
  [`${four} PTR`]: ['other.example.net', 'mail.example.org'],
  [`${six} PTR`]: ['mail.example.org'],
};

/** Changes to `sound`, the check that notices each change, its text, and its state if that is not `missing`. */
const broken: Array<[how: string, change: Zone, check: Finding['check'], text: RegExp, state?: Finding['state']]> = [
  [
    'no SPF record',
    { 'example.org TXT': ['other=1', 'v=spf10 -all'] },
    'SPF',
    /TXT для example\.org\n +нужно\n +v=spf1 ip4:203\.0\.113\.25 ip6:2001:db8::25 -all\n +не найдено/,
  ],
  ['two SPF records', { 'example.org TXT': ['v=spf1 a -all', 'v=spf1 mx -all'] }, 'SPF', /a -all\n +v=spf1 mx/],
  ['another SPF record', { 'example.org TXT': ['v=spf1 a -all'] }, 'SPF', /найдено\n +v=spf1 a -all/, 'unchecked'],
  ['no DKIM record', { [dkimName]: [] }, 'DKIM', /нужно\n +v=DKIM1; k=rsa; p=MII\S+\n +не найдено/],
  ['the DKIM record of another key', { [dkimName]: ['v=DKIM1; p=MIIB'] }, 'DKIM', /найдено\n +v=DKIM1; p=MIIB/],
  ['no DMARC record', { [dmarcName]: ['other'] }, 'DMARC', /v=DMARC1; p=none[^\n]*\n +не найдено/],
  ['DMARC without a policy', { [dmarcName]: ['v=DMARC1; p=x'] }, 'DMARC', /найдено\n +v=DMARC1; p=x/],
  ['a record with control characters', { [dmarcName]: ['v=DMARC1; p=\u001b[31m'] }, 'DMARC', /\\u001b\[31m/],
  ['no MX record', { 'example.org MX': [] }, 'MX', /нужно\n +10 mail\.example\.org\n +не найдено/],
  ['an MX that takes no mail', { 'example.org MX': ['.'] }, 'MX', /найдено\n +10 \./],
  ['a PTR that leads elsewhere', { [`${six} PTR`]: ['a.example.net'] }, 'PTR', /PTR для 2001:db8::25[^]*не найдено/],
  [
    'a DNS server without an answer',
    { 'example.org TXT': 'ETIMEOUT' },
    'SPF',
    /DNS не отвечает \(ETIMEOUT\)/,
    'unknown',
  ],
];

describe('mail-check', () => {
  let fresh: OpenedDatabase;
  let folder: string;
  let settings: NodeJS.ProcessEnv;
  before(async () => {
    fresh = await openFresh('sqlite');
    folder = await mkdtemp(join(tmpdir(), 'stena-mail-check-'));
    await writeFile(join(folder, 'dkim.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
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
    const dns = dnsOf(zone);
    const run = (json: boolean) =>
      carryOut(fresh.db, readConfig(env), {
        command: mailCheckWith(dns),
        target,
        value: undefined,
        options: json ? { json } : {},
      });
    const { output, failed } = await run(false);
    const { findings } = JSON.parse((await run(true)).output) as { findings: Finding[] };
    const states = new Map<string, Finding['state']>();
    for (const { check: name, state } of findings) if (states.get(name) !== 'missing') states.set(name, state);
    return { output, failed, states: Object.fromEntries(states) };
  }

  const allGood = { SPF: 'good', DKIM: 'good', DMARC: 'good', MX: 'good', PTR: 'good' };

  test('finds nothing to improve where everything is in order', async () => {
    const { output, failed, states } = await check(sound);
    assert.deepEqual(states, allGood, output);
    assert.equal(failed, false);
    assert.doesNotMatch(output, /ИСПРАВИТЬ|НЕИЗВЕСТНО/);
  });

  for (const [how, change, name, text, state = 'missing'] of broken) {
    test(`shows ${how}`, async () => {
      const { output, failed, states } = await check({ ...sound, ...change });
      assert.deepEqual(states, { ...allGood, [name]: state }, output);
      assert.match(output, text);
      assert.equal(failed, state !== 'unchecked');
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
    };
    const { SMTP_URL: _, DKIM_KEY_FILE: __, DKIM_SELECTOR: ___, ...rest } = settings;
    const { output, failed, states } = await check(zone, {
      ...rest,
      SMTP_URL: 'smtps://wall:hidden-word@smtp.service.net',
    });
    const { PTR: ____, ...others } = allGood;
    assert.deepEqual(states, { ...others, SPF: 'unchecked', DKIM: 'unchecked' });
    assert.equal(failed, false);
    assert.match(output, /сервис smtp\.service\.net/);
    assert.doesNotMatch(output, /hidden-word/);
  });

  test('finds that mails are neither sent nor signed', async () => {
    const { output, failed, states } = await check(sound, { MAIL_FROM: 'wall@example.org' });
    const { PTR: _, ...others } = allGood;
    assert.deepEqual(states, { ...others, SMTP: 'missing', SPF: 'unchecked', DKIM: 'missing' });
    assert.equal(failed, true);
    assert.match(output, /почтовый сервер не подключён/);
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

  test('names why no address of the mail server answers', async (t) => {
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ];
    t.mock.method(systemDns, 'lookup', (...args: unknown[]) =>
      (args.at(-1) as (...found: unknown[]) => void)(null, addresses),
    );
    const { output } = await check(sound, { ...settings, SMTP_URL: 'smtp://both.invalid:1' }, 'anna@example.org');
    assert.match(
      output,
      /сервер не принял его: connect ECONNREFUSED 127\.0\.0\.\d:1, connect ECONNREFUSED 127\.0\.0\.\d:1/,
    );
  });

  test('the command ends with status 1 when something is missing', async () => {
    await using storage = await freshStorage('sqlite');
    await (await openDatabase(storage.storage, () => {})).close();
    const env = { MAIL_FROM: 'wall@stena.invalid' };
    const { code, output } = await runCommand('server/commands/admin/main.ts', storage.storage, ['mail-check'], env);
    assert.equal(code, 1);
    assert.match(output, /^Письма от имени stena\.invalid\n\nИСПРАВИТЬ +SMTP: /);
    assert.match((await runAdmin(storage.storage, 'mail-check', 'a', 'b')).errors, /^Лишнее слово/);
  });
});
