import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDkim } from '../../test/kit/dkim.ts';
import { newAddress, openBrowser } from '../../test/kit/sign-in.ts';
import { openWall } from '../../test/kit/wall.ts';

test('mails are signed in the name of the sender’s domain when there is a DKIM key', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stena-dkim-'));
  t.after(() => rm(folder, { recursive: true }));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const file = join(folder, 'dkim.pem');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const settings = { DKIM_KEY_FILE: file, DKIM_SELECTOR: 'wall', MAIL_FROM: 'Наша стена <wall@Стена.example>' };
  await using wall = await openWall('sqlite', settings);
  const email = newAddress();
  await openBrowser(wall).start('registrations', email);
  const { source } = await wall.mail.mailTo(email);
  const { domain, selector, signed } = verifyDkim(source, createPublicKey(privateKey));
  assert.deepEqual([domain, selector], ['xn--80ajyof.example', 'wall']);
  for (const header of ['from', 'to', 'subject', 'date', 'message-id', 'content-type']) {
    assert.ok(signed.includes(header), header);
  }
  assert.throws(() => verifyDkim(source.replace(/^Subject: /m, 'Subject: a'), createPublicKey(privateKey)), /headers/);
  assert.throws(() => verifyDkim(`${source}a\r\n`, createPublicKey(privateKey)), /body/);
});
