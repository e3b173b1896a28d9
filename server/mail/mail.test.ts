import assert from 'node:assert/strict';
import { readdir, readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { device, newAddress, openBrowser } from '../../test/door.ts';
import { engines } from '../../test/engines.ts';
import { startMailServer } from '../../test/smtp.ts';
import { openWall } from '../../test/wall.ts';
import { readConfig } from '../config.ts';
import { codeMail } from './code-mail.ts';
import { deviceName } from './device-name.ts';
import { letterHtml, letterText } from './letter.ts';
import { openTransport } from './transport.ts';

for (const engine of engines) {
  describe(`mail on ${engine}`, () => {
    test(
      'a mail server that is down delays the code, not the answer; nothing is lost',
      { timeout: 40_000 },
      async () => {
        const gone = await startMailServer();
        const { port } = new URL(gone.url);
        await gone.close();
        const wall = await openWall(engine, { SMTP_URL: gone.url });
        // Retries go by the wall's clock.
        const ticking = setInterval(() => (wall.clock.now += 1), 1_000);
        const browser = openBrowser(wall);
        const email = newAddress();
        const asked = performance.now();
        const started = await browser.start('registrations', email);
        assert.equal(started.statusCode, 201);
        assert.ok(performance.now() - asked < 200);
        const state = async (): Promise<string> =>
          (
            await browser.send(
              'GET',
              `/mail/${started.json().id}?clientToken=${encodeURIComponent(browser.clientToken)}`,
            )
          ).json().state;
        while ((await state()) === 'sending') await pause(50);
        assert.equal(await state(), 'delayed');
        await pause(3_000);

        const back = await startMailServer(Number(port));
        const returned = performance.now();
        const code = await back.codeTo(email);
        assert.ok(performance.now() - returned < 10_000);
        assert.equal((await browser.verify('registrations', started.json().id, code)).statusCode, 200);
        await pause(100);
        assert.equal(back.received.length, 1);
        clearInterval(ticking);
        await wall.close();
        await back.close();
      },
    );

    test('an address that takes no mail is told apart from a server that asks to wait', async () => {
      const server = await startMailServer();
      const wall = await openWall(engine, { SMTP_URL: server.url });
      server.refuse((recipient) =>
        recipient.startsWith('nobody') ? 550 : recipient.startsWith('later') ? 451 : undefined,
      );
      for (const [email, expected] of [
        ['nobody@example.org', 'refused'],
        ['later@example.org', 'delayed'],
        ['anna@example.org', 'accepted'],
      ]) {
        const browser = openBrowser(wall);
        const { id } = (await browser.start('registrations', email!)).json();
        let state = 'sending';
        for (let i = 0; i < 200 && state === 'sending'; i += 1) {
          await pause(20);
          ({ state } = (
            await browser.send('GET', `/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`)
          ).json());
        }
        assert.equal(state, expected);
      }
      await wall.close();
      await server.close();
    });
  });
}

test('without a mail server the code goes to the terminal and the mail to the data folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-mail-'));
  const lines: string[] = [];
  const transport = openTransport(readConfig({ DATA_DIR: dataDir }), (line) => lines.push(line));
  await transport.send(
    'anna@example.org',
    codeMail({ kind: 'code', purpose: 'login', code: '012345', device, ttlSeconds: 600 }, 'Стена'),
  );
  assert.deepEqual(lines, ['Код для входа — Стена: 012345 (anna@example.org)']);
  const [file] = await readdir(join(dataDir, 'mail'));
  assert.match(file!, /\.eml$/);
  assert.match(await readFile(join(dataDir, 'mail', file!), 'utf8'), /^To: anna@example.org$/m);
  await rm(dataDir, { recursive: true });
});

test('a mail says what it is, who asked and how long the code lives, in both forms', () => {
  const letter = codeMail(
    { kind: 'code', purpose: 'registration', code: '004207', device, ttlSeconds: 60 },
    'Стена <&> Co',
  );
  assert.equal(
    letterText(letter),
    `Ваш код для регистрации:

004207

Он действует 1 минуту и подходит только к тому устройству, на котором вы его запросили: Chrome 142, Windows 11.

Никому не сообщайте этот код. Если вы его не запрашивали, ничего делать не нужно: без кода войти нельзя.

— Стена <&> Co
`,
  );
  assert.match(letterHtml(letter), />004207</);
  assert.match(letterHtml(letter), /Стена &lt;&amp;&gt; Co/);
  assert.doesNotMatch(letterHtml(letter), /<script|http/);
});

test('what a device says of itself brings neither a second code nor markup nor lines', () => {
  assert.equal(
    deviceName({ userAgent: 'Ваш код 123456', userAgentVersion: '7.1', os: '<b>\r\nBcc: x@y.ru' }),
    'Ваш код 7, bBcc xy.ru',
  );
  assert.equal(deviceName({ userAgent: '', userAgentVersion: '', os: '' }), 'неизвестное устройство');
  assert.equal(deviceName({ userAgent: 'x'.repeat(256), userAgentVersion: '1', os: '' }).length, 40);
});
