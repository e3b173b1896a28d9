import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, device, newAddress, openBrowser } from '../../test/kit/sign-in.ts';
import { engines } from '../../test/kit/engines.ts';
import { startMailServer } from '../../test/kit/smtp.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { readConfig } from '../config.ts';
import { codeMail } from './code-mail.ts';
import { deviceName } from './device-name.ts';
import { letterHtml, letterText } from './letter.ts';
import { openTransport } from './transport.ts';

const ordinary = { appName: 'Стена', publicUrl: 'http://localhost:3000' };

/** A message with its parts decoded. */
const decoded = (source: string): string =>
  source
    .replace(/=\r\n/g, '')
    .replace(
      /(?:[A-Za-z0-9+/]{40,}\r\n)*[A-Za-z0-9+/]+={0,2}\r\n/g,
      (part) => part + Buffer.from(part, 'base64').toString(),
    );

/** The state of a mailed code after its first try. */
async function stateOfCode(wall: Wall, email: string): Promise<string> {
  const browser = openBrowser(wall);
  const { id } = (await browser.start('registrations', email)).json();
  let state = 'sending';
  for (let i = 0; i < 200 && state === 'sending'; i += 1) {
    await pause(20);
    ({ state } = (
      await browser.send('GET', `/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`)
    ).json());
  }
  return state;
}

for (const engine of engines) {
  describe(`mail on ${engine}`, () => {
    test('an unreachable mail server delays the mail but not the response', async () => {
      const connected: Socket[] = [];
      const silent = createServer((socket) => connected.push(socket)).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const wall = await openWall(engine, { SMTP_URL: `smtp://127.0.0.1:${port}` });
      // Retries use the clock of the test wall.
      const ticking = setInterval(() => (wall.clock.now += 1), 100);
      const browser = openBrowser(wall);
      const email = newAddress();
      const started = await browser.start('registrations', email);
      assert.equal(started.statusCode, 201);
      const state = async (): Promise<string> =>
        (
          await browser.send('GET', `/mail/${started.json().id}?clientToken=${encodeURIComponent(browser.clientToken)}`)
        ).json().state;
      assert.equal(await state(), 'sending', 'the response does not wait for the mail server');
      while (connected.length === 0) await pause(5);
      silent.close();
      for (const socket of connected) socket.destroy();
      while ((await state()) === 'sending') await pause(5);
      assert.equal(await state(), 'delayed');

      const restarted = await startMailServer(port);
      const restartedAt = wall.clock.now;
      const code = await restarted.codeTo(email);
      assert.ok(wall.clock.now - restartedAt < 100);
      assert.equal((await browser.verify('registrations', started.json().id, code)).statusCode, 200);
      await pause(100);
      assert.equal(restarted.received.filter(({ to }) => to.includes(email)).length, 1);
      clearInterval(ticking);
      await wall.close();
      await restarted.close();
    });

    test('mails repeat no text from the device description', async () => {
      await using wall = await openWall(engine);
      const words = 'casino.example 8-916-123-45-67';
      const untrusted = {
        userAgent: `Chrome ${words}`,
        userAgentVersion: `9161234567 ${words}`,
        os: `Windows ${words}`,
      };
      const enter = async (purpose: 'logins' | 'registrations', email: string): Promise<Browser> => {
        const browser = openBrowser(wall);
        const { clientToken } = browser;
        const { id } = (await browser.send('POST', `/${purpose}`, { email, clientToken, device: untrusted })).json();
        assert.equal((await browser.verify(purpose, id, await wall.mail.codeTo(email))).statusCode, 200);
        wall.clock.now += 61;
        return browser;
      };
      const [email, next] = [newAddress(), newAddress()];
      const { send, clientToken } = await enter('registrations', email);
      await enter('logins', email);
      await send('PUT', '/users/current/email', { email: next, clientToken });
      await send('POST', '/users/current/deletion', { clientToken });
      await wall.mail.mailTo(next);
      await wall.mail.mailTo(email, ({ text }) => text.includes('будет удалена'));
      await wall.mail.mailTo(email, ({ text }) => text.includes('с нового устройства'));
      const letters = wall.mail.received.filter(({ to }) => to.includes(email) || to.includes(next));
      assert.equal(letters.length, 5);
      for (const letter of letters) {
        assert.match(letter.text, /: Windows\./);
        // Both spellings of the telephone number: codes, identifiers and boundaries contain shorter runs of digits.
        assert.doesNotMatch(decoded(letter.source), /casino|916-123-45|9161234567/);
      }
    });

    test('distinguishes a rejected address from a temporary failure', async () => {
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
        assert.equal(await stateOfCode(wall, email!), expected);
      }
      await wall.close();
      await server.close();
    });

    test('tries again when the mail server refuses the login, the sender or the connection', async () => {
      await using server = await startMailServer();
      const login = new URL(server.url);
      login.username = 'wall';
      login.password = 'outdated';
      await using loggingIn = await openWall(engine, { SMTP_URL: login.href });
      assert.equal(await stateOfCode(loggingIn, 'anna@example.org'), 'delayed');
      await using sending = await openWall(engine, { SMTP_URL: server.url, MAIL_FROM: 'wall@refused.example' });
      server.refuse((address) => (address.endsWith('@refused.example') ? 550 : undefined));
      assert.equal(await stateOfCode(sending, 'anna@example.org'), 'delayed');
    });
  });
}

test('without a mail server, prints the code and writes the mail to the data folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-mail-'));
  const lines: string[] = [];
  const transport = openTransport(readConfig({ DATA_DIR: dataDir }), (line) => lines.push(line));
  await transport.send(
    'anna@example.org',
    codeMail({ kind: 'code', purpose: 'login', code: '012345', device, ttlSeconds: 600 }, ordinary),
  );
  assert.deepEqual(lines, ['012345 — код для входа (anna@example.org)']);
  const [file] = await readdir(join(dataDir, 'mail'));
  assert.match(file!, /\.eml$/);
  assert.match(await readFile(join(dataDir, 'mail', file!), 'utf8'), /^To: anna@example.org$/m);
  await rm(dataDir, { recursive: true });
});

test('a code mail states its purpose, the device and the lifetime of the code, as text and as HTML', () => {
  const letter = codeMail(
    { kind: 'code', purpose: 'registration', code: '004207', device, ttlSeconds: 60 },
    { appName: 'Стена <&> Co', publicUrl: 'https://wall.example:8443' },
  );
  assert.equal(letter.subject, '004207 — код для регистрации');
  assert.equal(
    letterText(letter),
    `Ваш код для регистрации:

шесть цифр в начале темы и в последней строке этого письма.

Он действует 1 минуту и подходит только к тому устройству, на котором вы его запросили: Chrome 142, Windows 11.

Никому не сообщайте этот код. Если вы его не запрашивали, ничего делать не нужно: без кода войти нельзя.

— Стена <&> Co

@wall.example #004207
`,
  );
  assert.match(letterHtml(letter), />004207</);
  assert.match(letterHtml(letter), /Стена &lt;&amp;&gt; Co/);
  assert.doesNotMatch(letterHtml(letter), /<script|http/);
});

test('a code stands in the subject and once in the text, in the last line with the host, for every purpose', () => {
  for (const purpose of ['login', 'registration', 'email-change', 'device', 'program-token', 'deletion'] as const) {
    const letter = codeMail({ kind: 'code', purpose, code: '257494', device, ttlSeconds: 600 }, ordinary);
    assert.match(letter.subject, /^257494 — код для [а-яё ]+$/);
    const text = letterText(letter);
    assert.deepEqual(text.match(/\d{6}/g), ['257494']);
    assert.ok(text.endsWith('\n@localhost #257494\n'), text);
  }
});

test('names a device by known browsers and systems and the first number of a version', () => {
  const name = (userAgent: string, userAgentVersion: string, os: string) =>
    deviceName({ userAgent, userAgentVersion, os });
  assert.equal(name('Chrome', '142.0.7444.60', 'Windows 11'), 'Chrome 142, Windows 11');
  assert.equal(name('Safari', '17.5', 'iOS 17.5.1'), 'Safari 17, iOS 17');
  assert.equal(name('Firefox', '', 'macOS Catalina'), 'Firefox, macOS');
  assert.equal(name('Microsoft Edge', '99', 'Windows Phone 8.1'), 'Microsoft Edge 99, Windows Phone 8');
  assert.equal(name('', '', 'Linux'), 'Linux');
  assert.equal(name('Chrome', '1234', 'Windows 9161234567'), 'Chrome, Windows');
  for (const unknown of ['', 'Ваш код 123456', 'chrome', 'Chrome casino.example', '<b>\r\nBcc: x@y.ru']) {
    assert.equal(name(unknown, '7.1', `${unknown}11`), 'неизвестное устройство', unknown);
  }
});
