import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { assertRejected, postgres, secret } from '../test/kit/rejected-settings.ts';
import { type Config, contactOf, readConfig } from './config.ts';

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
  ['APP_NAME', ['я'.repeat(61)]],
  ['MAIL_FROM', ['nobody', 'a@b@c', 'Wall <wall>', 'Wall <a@b> <c@d>']],
  ['SECRET', ['hidden-word']],
  ['SECRET_PREVIOUS', ['hidden-word']],
  ['CONTACT', ['wall@example.org', 'http://wall.example', 'mailto:wall', 'https://', 'mailto:a@b\nc', 'tel:112']],
  [
    'TRUST_PROXY',
    [
      'true',
      '1',
      'proxy.example',
      '10.0.0.1/33',
      '10.0.0.0/x',
      '10.0.0.1/',
      '10.0.0.1,true',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.1,0.0.0.0/1',
      '128.0.0.0/7',
      '8000::/1',
    ],
  ],
  ['LOG_LEVEL', ['verbose', 'INFO']],
  ['EDIT_WINDOW_SECONDS', ['0', '-5', '1.5', 'ten', '9999999999']],
  ['CODE_TTL_SECONDS', ['0', '10m']],
  ['CODE_RESEND_SECONDS', ['-1', '60s']],
  ['ACCESS_TOKEN_SECONDS', ['0', 'NaN']],
  ['RATE_LIMITS', ['false', '0', 'On']],
  ['READS_PER_MINUTE', ['0', 'unlimited']],
  ['CONNECTIONS_PER_IP', ['0', '-1', 'off']],
  [
    'EMAIL_DOMAINS',
    [
      'example.org',
      'allow',
      'allow:',
      'deny:,',
      'allow:a.ru,,b.ru',
      'deny:a.ru|allow:b.ru',
      'Allow:a.ru',
      'allow:a@b.ru',
      'allow:*.ru',
      'deny:.ru',
      'deny:https://a.ru',
      'deny:a.ru b.ru',
      'deny:-a.ru',
    ],
  ],
  [
    'METRICS',
    ['on', '9100', ':9100', '127.0.0.1', '127.0.0.1:0', '127.0.0.1:65536', '::1:9100', 'http://localhost:9100'],
  ],
];

describe('settings', () => {
  it('have defaults', () => {
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
      mailFrom: '"Стена" <wall@localhost>',
      dkim: undefined,
      secret: undefined,
      secretPrevious: undefined,
      trustProxy: [],
      logLevel: 'info',
      editWindowSeconds: 600,
      codeTtlSeconds: 600,
      codeResendSeconds: 60,
      accessTokenSeconds: 600,
      rateLimits: true,
      readsPerMinute: 3000,
      search: 'everyone',
      connectionsPerAddress: 256,
      emailDomains: undefined,
      metrics: undefined,
    } satisfies Config);
  });

  it('name somebody to write to even without CONTACT', () => {
    const contacts = [{}, { MAIL_FROM: 'wall@example.org' }, { CONTACT: 'https://wall.example/help' }];
    assert.deepEqual(
      contacts.map((env) => contactOf(readConfig(env))),
      ['mailto:wall@localhost', 'mailto:wall@example.org', 'https://wall.example/help'],
    );
  });

  it('are unset when empty', () => {
    const names = [...bad.map(([name]) => name), 'APP_NAME', 'DATA_DIR'];
    assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, ' ']))), readConfig({}));
  });

  it('are accepted when valid', () => {
    for (const [env, expected] of good) assert.partialDeepStrictEqual(readConfig(env), expected);
  });

  it('are rejected when invalid, with a one-line error that names them and contains no password', () => {
    for (const [name, values] of bad) {
      for (const value of values)
        assertRejected(
          {
            [name]: value,
            ...(name === 'DATABASE_URL' && { SECRET: secret }),
            ...(name === 'DATABASE_READ_URL' && postgres),
          },
          name,
        );
    }
  });
});
