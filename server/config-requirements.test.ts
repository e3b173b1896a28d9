import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertRejected, postgres } from '../test/kit/rejected-settings.ts';
import { readConfig } from './config.ts';

describe('settings', () => {
  it('require SMTP_URL in production', () => {
    assertRejected({ NODE_ENV: 'production' }, 'SMTP_URL');
    assert.equal(readConfig({ NODE_ENV: 'development' }).smtpUrl, undefined);
  });

  it('take a DKIM key only together with its selector', async (t) => {
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

  it('require an existing folder in PAGES_DIR', () => {
    for (const folder of ['/no/such/folder', '/etc/passwd', '/etc/passwd/pages']) {
      assertRejected({ PAGES_DIR: folder }, 'PAGES_DIR');
    }
    assert.equal(readConfig({ DATA_DIR: '/no/such/folder' }).pagesDir, '/no/such/folder/pages');
  });

  it('require access tokens in production that outlive their renewal', () => {
    const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example' };
    assertRejected({ ...production, ACCESS_TOKEN_SECONDS: '29' }, 'ACCESS_TOKEN_SECONDS');
  });

  it('require SECRET with DATABASE_URL', () => {
    assertRejected({ DATABASE_URL: postgres.DATABASE_URL }, 'SECRET');
  });

  it('require DATABASE_URL with DATABASE_READ_URL, which names other servers', () => {
    assertRejected({ DATABASE_READ_URL: 'postgres://one/wall' }, 'DATABASE_URL');
    assertRejected({ ...postgres, DATABASE_READ_URL: postgres.DATABASE_URL }, 'DATABASE_READ_URL');
  });
});
