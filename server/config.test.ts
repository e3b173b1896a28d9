import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { type Config, ConfigError, contactOf, readConfig } from './config.ts';
import { doubtfulSettings } from './ops/doubtful-settings.ts';
import { unencryptedHost } from './db/postgres/connect.ts';

const secret = 'a'.repeat(32);
const postgres = { DATABASE_URL: 'postgres://wall:hidden-word@db.example:5432/wall', SECRET: secret };

function assertRejected(env: NodeJS.ProcessEnv, setting: string): void {
  assert.throws(
    () => readConfig(env),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, new RegExp(`^${setting}: .+[.]$`));
      assert.doesNotMatch(error.message, /hidden-word/);
      assert.equal(error.message.split('\n').length, 1, error.message);
      return true;
    },
    `${setting}: ${JSON.stringify(env)}`,
  );
}

/** Accepted settings and the resulting config. */
const good: Array<[NodeJS.ProcessEnv, Partial<Config>]> = [
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ HOST: '::1' }, { host: '::1' }],
  [{ HOST: 'wall.example' }, { host: 'wall.example' }],
  [{ PORT: '0' }, { port: 0 }],
  [{ PORT: '65535' }, { port: 65_535 }],
  [{ PORT: ' 8080 ' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
  [{ PUBLIC_URL: 'https://wall.example' }, { publicUrl: 'https://wall.example' }],
  [{ PUBLIC_URL: 'https://wall.example:8443/' }, { publicUrl: 'https://wall.example:8443' }],
  [{ APP_NAME: 'Двор' }, { appName: 'Двор', mailFrom: '"Двор" <wall@localhost>' }],
  [{ APP_NAME: 'Двор, <"наш">' }, { appName: 'Двор, <"наш">', mailFrom: '"Двор, наш" <wall@localhost>' }],
  [{ CONTACT: 'mailto:wall@example.org' }, { contact: 'mailto:wall@example.org' }],
  [{ CONTACT: 'https://wall.example/security' }, { contact: 'https://wall.example/security' }],
  [{ DATA_DIR: '/var/lib/wall' }, { dataDir: '/var/lib/wall' }],
  [{ DATA_DIR: 'elsewhere' }, { dataDir: resolve('elsewhere'), pagesDir: resolve('elsewhere/pages') }],
  [{ PAGES_DIR: '/etc' }, { pagesDir: '/etc' }],
  [postgres, { databaseUrl: postgres.DATABASE_URL, secret }],
  [{ ...postgres, DATABASE_URL: 'postgresql://db/wall' }, { databaseUrl: 'postgresql://db/wall' }],
  [
    { ...postgres, DATABASE_READ_URL: 'postgres://one/wall, postgresql://two/wall,' },
    { databaseReadUrls: ['postgres://one/wall', 'postgresql://two/wall'] },
  ],
  [{ SMTP_URL: 'smtp://mail.example:587' }, { smtpUrl: 'smtp://mail.example:587' }],
  [
    { SMTP_URL: 'smtps://wall:hidden-word@mail.example', NODE_ENV: 'production' },
    { smtpUrl: 'smtps://wall:hidden-word@mail.example' },
  ],
  [{ SMTP_URL: 'smtps://wall:hidden-word@SMTP.yandex.ru' }, { lettersPerDay: 400 }],
  [{ SMTP_URL: 'smtp://smtp-mail.outlook.com:587' }, { lettersPerDay: 400 }],
  [{ SMTP_URL: 'smtp://mail.ru', LETTERS_PER_DAY: '2000' }, { lettersPerDay: 2_000 }],
  [{ SMTP_URL: 'smtp://hotmail.ru' }, { lettersPerDay: undefined }],
  [{ SMTP_URL: 'smtp://mail.example', LETTERS_PER_DAY: '1' }, { lettersPerDay: 1 }],
  [{ LETTERS_PER_DAY: '100' }, { lettersPerDay: undefined }],
  [{ MAIL_FROM: 'wall@example.com' }, { mailFrom: 'wall@example.com' }],
  [{ MAIL_FROM: 'Наша стена <wall@example.com>' }, { mailFrom: 'Наша стена <wall@example.com>' }],
  [{ SECRET: secret }, { secret }],
  [{ SECRET_PREVIOUS: secret }, { secretPrevious: secret }],
  [{ TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,fd00::/8' }, { trustProxy: ['10.0.0.1', '192.168.0.0/16', 'fd00::/8'] }],
  [{ TRUST_PROXY: '10.0.0.0/8,fc00::/7' }, { trustProxy: ['10.0.0.0/8', 'fc00::/7'] }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [{ EDIT_WINDOW_SECONDS: '1' }, { editWindowSeconds: 1 }],
  [{ CODE_TTL_SECONDS: '120' }, { codeTtlSeconds: 120 }],
  [{ CODE_RESEND_SECONDS: '0' }, { codeResendSeconds: 0 }],
  [{ ACCESS_TOKEN_SECONDS: '1' }, { accessTokenSeconds: 1 }],
  [
    { ACCESS_TOKEN_SECONDS: '30', SMTP_URL: 'smtp://mail', NODE_ENV: 'production' },
    { accessTokenSeconds: 30, smtpUrl: 'smtp://mail' },
  ],
  [{ APP_NAME: '🧱'.repeat(60) }, { appName: '🧱'.repeat(60) }],
  [{ RATE_LIMITS: 'off' }, { rateLimits: false }],
  [{ READS_PER_MINUTE: '1000000' }, { readsPerMinute: 1_000_000 }],
  [{ CONNECTIONS_PER_IP: '1000' }, { connectionsPerAddress: 1_000 }],
  [
    { EMAIL_DOMAINS: 'allow: Example.ORG,почта.рф ,xn--80a1acny.xn--p1ai, ru' },
    {
      emailDomains: { kind: 'allow', domains: ['example.org', 'xn--80a1acny.xn--p1ai', 'xn--80a1acny.xn--p1ai', 'ru'] },
    },
  ],
  [{ EMAIL_DOMAINS: 'deny:mail.example' }, { emailDomains: { kind: 'deny', domains: ['mail.example'] } }],
  [{ METRICS: '127.0.0.1:9100' }, { metrics: { host: '127.0.0.1', port: 9100 } }],
  [{ METRICS: '[::1]:9100' }, { metrics: { host: '::1', port: 9100 } }],
  [{ METRICS: 'metrics.internal:65535' }, { metrics: { host: 'metrics.internal', port: 65_535 } }],
];

/** Setting named in the error, and its invalid values. */
const bad: Array<[string, string[]]> = [
  ['HOST', ['local host', 'a/b', 'http://wall.example']],
  ['PORT', ['-1', '65536', '80.5', '0x50', 'http', '1e3']],
  ['PUBLIC_URL', ['wall.example', 'ftp://wall.example', 'https://wall.example/path', 'https://wall.example/?a', '//x']],
  ['DATABASE_URL', ['mysql://u:hidden-word@db/wall', 'hidden-word', 'db.example:5432/hidden-word']],
  [
    'DATABASE_READ_URL',
    ['mysql://u:hidden-word@db/wall', 'postgres://one/wall,hidden-word', 'postgres://a,postgres://a', ',', ' , '],
  ],
  [
    'SMTP_URL',
    ['http://u:hidden-word@mail.example', 'u:hidden-word@mail.example', 'smtp://', 'smtps:///', 'smtp:?a=1'],
  ],
  ['LETTERS_PER_DAY', ['0', '-1', 'off', '1.5']],
  ['APP_NAME', ['я'.repeat(61)]],
  ['MAIL_FROM', ['nobody', 'a@b@c', 'Wall <wall>', 'Wall <a@b> <c@d>']],
  ['SECRET', ['hidden-word']],
  ['SECRET_PREVIOUS', ['hidden-word']],
  ['CONTACT', ['wall@example.org', 'http://wall.example', 'mailto:wall', 'https://', 'mailto:a@b\nc', 'tel:112']],
  ['TRUST_PROXY', ['true', '1', 'proxy.example', '10.0.0.1/33', '10.0.0.0/x', '10.0.0.1/', '10.0.0.1,true']],
  ['TRUST_PROXY', ['0.0.0.0/0', '::/0', '10.0.0.1,0.0.0.0/1', '128.0.0.0/7', '8000::/1']],
  ['LOG_LEVEL', ['verbose', 'INFO']],
  ['EDIT_WINDOW_SECONDS', ['0', '-5', '1.5', 'ten', '9999999999']],
  ['CODE_TTL_SECONDS', ['0', '10m']],
  ['CODE_RESEND_SECONDS', ['-1', '60s']],
  ['ACCESS_TOKEN_SECONDS', ['0', 'NaN']],
  ['RATE_LIMITS', ['false', '0', 'On']],
  ['READS_PER_MINUTE', ['0', 'unlimited']],
  ['CONNECTIONS_PER_IP', ['0', '-1', 'off']],
  ['PUSH_HOSTS', ['push.example.org', 'https://push.example.org:443']],
  [
    'EMAIL_DOMAINS',
    ['example.org', 'allow', 'allow:', 'deny:,', 'allow:a.ru,,b.ru', 'deny:a.ru|allow:b.ru', 'Allow:a.ru'],
  ],
  ['EMAIL_DOMAINS', ['allow:a@b.ru', 'allow:*.ru', 'deny:.ru', 'deny:https://a.ru', 'deny:a.ru b.ru', 'deny:-a.ru']],
  [
    'METRICS',
    ['on', '9100', ':9100', '127.0.0.1', '127.0.0.1:0', '127.0.0.1:65536', '::1:9100', 'http://localhost:9100'],
  ],
];

describe('settings', () => {
  test('have defaults', () => {
    assert.deepEqual(readConfig({}), {
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      appName: 'Стена',
      contact: undefined,
      dataDir: resolve('data'),
      copyTo: undefined,
      pagesDir: resolve('data/pages'),
      databaseUrl: undefined,
      databaseReadUrls: [],
      smtpUrl: undefined,
      lettersPerDay: undefined,
      mailFrom: '"Стена" <wall@localhost>',
      dkim: undefined,
      secret: undefined,
      secretPrevious: undefined,
      pushHosts: [],
      trustProxy: [],
      logLevel: 'info',
      editWindowSeconds: 600,
      codeTtlSeconds: 600,
      codeResendSeconds: 60,
      accessTokenSeconds: 600,
      rateLimits: true,
      addressFactor: 10,
      readsPerMinute: 30_000,
      search: 'everyone',
      connectionsPerAddress: 2_560,
      emailDomains: undefined,
      metrics: undefined,
    } satisfies Config);
  });

  test('name somebody to write to even without CONTACT', () => {
    const contacts = [{}, { MAIL_FROM: 'wall@example.org' }, { CONTACT: 'https://wall.example/help' }];
    assert.deepEqual(
      contacts.map((env) => contactOf(readConfig(env))),
      ['mailto:wall@localhost', 'mailto:wall@example.org', 'https://wall.example/help'],
    );
  });

  test('limit an address ten times less outside localhost', () => {
    const limitsAt = (host: string) => {
      const { addressFactor, readsPerMinute, connectionsPerAddress } = readConfig({ PUBLIC_URL: `http://${host}` });
      return [addressFactor, readsPerMinute, connectionsPerAddress];
    };
    for (const host of ['localhost:8080', 'wall.localhost', '127.0.0.1', '[::1]:3000']) {
      assert.deepEqual(limitsAt(host), [10, 30_000, 2_560], host);
    }
    for (const host of ['wall.example', 'localhost.example', '192.168.1.2', '127.0.0.1.example']) {
      assert.deepEqual(limitsAt(host), [1, 3_000, 256], host);
    }
  });

  test('are unset when empty', () => {
    const names = [...bad.map(([name]) => name), 'APP_NAME', 'DATA_DIR'];
    assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, ' ']))), readConfig({}));
  });

  test('are accepted when valid', () => {
    for (const [env, expected] of good) assert.partialDeepStrictEqual(readConfig(env), expected);
  });

  test('are rejected when invalid, with a one-line error that names them and contains no password', () => {
    for (const [name, values] of bad) {
      const others = name === 'DATABASE_URL' ? { SECRET: secret } : name === 'DATABASE_READ_URL' ? postgres : {};
      for (const value of values) assertRejected({ ...others, [name]: value }, name);
    }
  });

  test('take a DKIM key only together with its selector', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'stena-dkim-'));
    t.after(() => rm(folder, { recursive: true }));
    const key = async (name: string, pem: string): Promise<string> => {
      await writeFile(join(folder, name), pem);
      return join(folder, name);
    };
    const pem = {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    } as const;
    const rsa = (modulusLength: number): string => generateKeyPairSync('rsa', { modulusLength, ...pem }).privateKey;
    const sound = await key('sound', rsa(1_024));
    const unfit = [
      await key('empty', ''),
      await key('short', rsa(512)),
      await key('ed25519', generateKeyPairSync('ed25519', pem).privateKey),
      await key('public', generateKeyPairSync('rsa', { modulusLength: 1_024, ...pem }).publicKey),
      join(folder, 'missing'),
      folder,
    ];
    for (const file of unfit) assertRejected({ DKIM_KEY_FILE: file, DKIM_SELECTOR: 'wall' }, 'DKIM_KEY_FILE');
    for (const selector of ['a b', '_domainkey', '-a', 'a;b', 'a..b']) {
      assertRejected({ DKIM_KEY_FILE: sound, DKIM_SELECTOR: selector }, 'DKIM_SELECTOR');
    }
    assertRejected({ DKIM_KEY_FILE: sound }, 'DKIM_SELECTOR');
    assertRejected({ DKIM_SELECTOR: 'wall' }, 'DKIM_KEY_FILE');
    assert.equal(readConfig({ DKIM_KEY_FILE: sound, DKIM_SELECTOR: 'wall.2026' }).dkim?.selector, 'wall.2026');
  });

  test('require what belongs to them', () => {
    const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example' };
    const lacking: Array<[NodeJS.ProcessEnv, string]> = [
      [{ NODE_ENV: 'production' }, 'SMTP_URL'],
      // Access tokens must outlive their renewal.
      [{ ...production, ACCESS_TOKEN_SECONDS: '29' }, 'ACCESS_TOKEN_SECONDS'],
      ...['/no/such/folder', '/etc/passwd', '/etc/passwd/pages'].map((PAGES_DIR): [NodeJS.ProcessEnv, string] => [
        { PAGES_DIR },
        'PAGES_DIR',
      ]),
      [{ DATABASE_URL: postgres.DATABASE_URL }, 'SECRET'],
      [{ DATABASE_READ_URL: 'postgres://one/wall' }, 'DATABASE_URL'],
      [{ ...postgres, DATABASE_READ_URL: postgres.DATABASE_URL }, 'DATABASE_READ_URL'],
    ];
    for (const [env, name] of lacking) assertRejected(env, name);
    assert.equal(readConfig({ NODE_ENV: 'development' }).smtpUrl, undefined);
    assert.equal(readConfig({ DATA_DIR: '/no/such/folder' }).pagesDir, '/no/such/folder/pages');
  });
});

const linesFor = (env: NodeJS.ProcessEnv): string => doubtfulSettings(env, readConfig(env)).join('\n');

test('settings that are hardly meant so are named in the log', () => {
  const doubtful: Array<[NodeJS.ProcessEnv, RegExp]> = [
    [{ NODE_ENV: 'prod' }, /^NODE_ENV=prod counts as unset: write NODE_ENV=production$/],
    [{ METRICS: '0.0.0.0:9464' }, /^METRICS listens on every address .* port 9464$/],
    [{ METRICS: '[::]:9464' }, /^METRICS listens on every address/],
    [{ STENA_PORT: '80' }, /^STENA_PORT is no setting of the wall: is PORT meant\?$/],
    [{ stena_contact: 'x' }, /is CONTACT meant/],
    [{ PUBLIC_URI: 'https://a.b' }, /is PUBLIC_URL meant/],
    [{ TRUSTED_PROXY: '127.0.0.1' }, /is TRUST_PROXY meant/],
    [{ TRUST_PROXYS: '127.0.0.1' }, /is TRUST_PROXY meant/],
  ];
  for (const [env, line] of doubtful) assert.match(linesFor(env), line);
});

test('nothing is said of settings as they should be, nor of the names that systems and containers set', () => {
  const names = 'HOSTNAME POST SORT PATH PWD HOME LANG TERM USER LOGNAME SHELL TZ INVOCATION_ID JOURNAL_STREAM';
  const services =
    'STATE_DIRECTORY CACHE_DIRECTORY NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS PGHOST WALL_PORT POSTGRES_PORT';
  const env = Object.fromEntries(`${names} ${services}`.split(' ').map((name) => [name, 'x']));
  assert.equal(linesFor({ ...env, NODE_ENV: 'development', PORT: '3000', METRICS: '127.0.0.1:9464', CONTACT: '' }), '');
});

test('names the host of an unencrypted connection', () => {
  const clear: Array<[string, string]> = [
    ['postgres://stena:hidden@db.example/stena', 'db.example'],
    ['postgres://stena@10.0.0.5:6432/stena', '10.0.0.5'],
    ['postgres://stena@[2001:db8::1]/stena', '2001:db8::1'],
    ['postgres://stena@db.example/stena?sslmode=disable', 'db.example'],
    ['postgres://stena@localhost/stena?host=db.example', 'db.example'],
  ];
  for (const [url, host] of clear) assert.equal(unencryptedHost(url), host, url);
  const local = [
    'localhost/stena',
    '127.0.0.1/stena',
    '127.1.2.3/stena',
    '[::1]/stena',
    '/stena?host=/var/run/postgresql',
  ];
  const encrypted = ['db.example/stena?sslmode=verify-full', 'db.example/stena?ssl=true'];
  for (const place of [...local, ...encrypted, '%2Fvar%2Frun%2Fpostgresql/stena'])
    assert.equal(unencryptedHost(`postgres://stena@${place}`), undefined, place);
});
