import assert from 'node:assert/strict';
import { createHash, createPublicKey, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, device, newAddress, openBrowser } from '../../test/kit/sign-in.ts';
import { engines } from '../../test/kit/engines.ts';
import { startMailServer } from '../../test/kit/smtp.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { readConfig } from '../config.ts';
import { codeMail } from './notices.ts';
import { deviceName, letterHtml, letterText } from './letter.ts';
import { openTransport } from './transport.ts';

interface Signature {
  domain: string;
  selector: string;
  /** Names of the signed headers, in lower case. */
  signed: string[];
}

/** Verifies the DKIM signature of a message (RFC 6376, rsa-sha256, relaxed/relaxed) with the public key of its sender. */
function verifyDkim(source: string, publicKey: KeyObject): Signature {
  const end = source.indexOf('\r\n\r\n');
  const headers = source.slice(0, end).split(/\r\n(?![ \t])/);
  const header = (name: string): string | undefined =>
    headers.findLast((line) => line.toLowerCase().startsWith(`${name}:`));
  const own = header('dkim-signature');
  assert.ok(own, 'the message is not signed');
  const tags = new Map<string, string>();
  for (const tag of own.slice(own.indexOf(':') + 1).split(';')) {
    const equals = tag.indexOf('=');
    tags.set(tag.slice(0, equals).trim(), tag.slice(equals + 1).replace(/\s+/g, ''));
  }
  assert.deepEqual([tags.get('a'), tags.get('c')], ['rsa-sha256', 'relaxed/relaxed']);
  const bodyHash = createHash('sha256')
    .update(relaxedBody(source.slice(end + 4)))
    .digest('base64');
  assert.equal(tags.get('bh'), bodyHash, 'hash of the body');
  const signed = tags.get('h')!.toLowerCase().split(':');
  const lines = signed.flatMap((name) => header(name) ?? []).map((line) => `${relaxedHeader(line)}\r\n`);
  const unsigned = relaxedHeader(own.replace(/\bb=[^;]*$/, 'b='));
  const isValid = createVerify('RSA-SHA256')
    .update(lines.join('') + unsigned)
    .verify(publicKey, tags.get('b')!, 'base64');
  assert.ok(isValid, 'the signature does not fit the headers');
  return { domain: tags.get('d')!, selector: tags.get('s')!, signed };
}

function relaxedHeader(line: string): string {
  const colon = line.indexOf(':');
  return `${line.slice(0, colon).trim().toLowerCase()}:${line
    .slice(colon + 1)
    .replace(/\s+/g, ' ')
    .trim()}`;
}

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${line}\r\n`).join('');
}

const ordinary = { appName: 'Стена', publicUrl: 'http://localhost:3000' };

/** A message with its parts decoded. */
const decoded = (source: string): string =>
  source
    .replace(/=\r\n/g, '')
    .replace(
      /(?:[A-Za-z0-9+/]{40,}\r\n)*[A-Za-z0-9+/]+={0,2}\r\n/g,
      (part) => part + Buffer.from(part, 'base64').toString(),
    );

async function stateOf({ send, clientToken }: Browser, id: string): Promise<string> {
  return (await send('GET', `/mail/${id}?${new URLSearchParams({ clientToken })}`)).json().state;
}

/** The state of a mailed code after its first try. */
async function stateOfCode(wall: Wall, email: string): Promise<string> {
  const browser = openBrowser(wall);
  const { id } = (await browser.start('registrations', email)).json();
  return pollWithin(1_000, async () => {
    const state = await stateOf(browser, id);
    return state === 'sending' ? undefined : state;
  });
}

for (const engine of engines) {
  describe(`mail on ${engine}`, () => {
    test('an unreachable mail server delays the mail but not the response', async () => {
      const connected: Socket[] = [];
      const silent = createServer((socket) => connected.push(socket)).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const wall = await openWall(engine, { SMTP_URL: `smtp://127.0.0.1:${port}` });
      // Retries use the clock of the test wall, so the clock moves on.
      const ticking = setInterval(() => (wall.clock.now += 1), 100);
      const browser = openBrowser(wall);
      const email = newAddress();
      const started = await browser.start('registrations', email);
      assert.equal(started.statusCode, 201);
      const state = () => stateOf(browser, started.json().id);
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
      const version = `9161234567 ${words}`;
      const untrusted = { userAgent: `Chrome ${words}`, userAgentVersion: version, os: `Windows ${words}` };
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
        // The runs of digits are long, because codes, identifiers and boundaries may contain shorter parts of the telephone number.
        assert.doesNotMatch(decoded(letter.source), /casino|916-123-45|9161234567/);
      }
    });

    test('distinguishes a rejected address from a temporary failure', async () => {
      await using server = await startMailServer();
      await using wall = await openWall(engine, { SMTP_URL: server.url });
      // A mail server without SMTPUTF8 refuses an address in Cyrillic.
      server.refuse((recipient) =>
        recipient.startsWith('иван')
          ? 553
          : recipient.startsWith('nobody')
            ? 550
            : recipient.startsWith('later')
              ? 451
              : undefined,
      );
      for (const [email, expected] of [
        ['nobody@example.org', 'refused'],
        ['иван@example.org', 'refused'],
        ['later@example.org', 'delayed'],
        ['anna@example.org', 'accepted'],
      ]) {
        assert.equal(await stateOfCode(wall, email!), expected);
      }
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

test('a letter says whose wall sends it, in the words of its owner', () => {
  const code = codeMail({ kind: 'code', purpose: 'login', code: '004207', device, ttlSeconds: 60 }, ordinary);
  const letter = { ...code, line: 'Двор <и> сад' };
  assert.match(letterText(letter), /\n— Стена\nДвор <и> сад\n\n@localhost #004207\n$/);
  assert.match(letterHtml(letter), /<br>Двор &lt;и&gt; сад<\/p>/);
});

test('a letter shows posts as text, and the same to who reads no HTML', () => {
  const letter = {
    subject: 'Ответы',
    title: 'Ответы на стене «Двор»',
    appName: 'Двор',
    paragraphs: [
      { cited: 'Вы: Лифт <стоит>\nКто звонил?' },
      {
        author: 'Галина <М>',
        note: '18:04',
        text: '<i>Звонила\nОбещали',
        link: 'https://wall.example/posts/7',
        label: 'Ответить',
      },
      { label: 'Открыть обсуждение', link: 'https://wall.example/posts/6', isButton: true as const },
    ],
    subscription: { list: 'answers', why: 'Вам ответили.', unsubscribe: 'https://wall.example/unsubscribe?token=1' },
  };
  const html = letterHtml(letter);
  assert.match(html, /<b style="font-size:18px">Ответы на стене «Двор»<\/b>/);
  assert.match(html, /<blockquote [^>]*>Вы: Лифт &lt;стоит&gt;<br>Кто звонил\?<\/blockquote>/);
  assert.match(
    html,
    /<bdi>Галина &lt;М&gt;<\/bdi><\/b> <span [^>]*>18:04<\/span><br>&lt;i&gt;Звонила<br>Обещали<br><a href="https:\/\/wall\.example\/posts\/7">Ответить</,
  );
  assert.match(
    html,
    /Вам ответили\. <a href="https:\/\/wall\.example\/unsubscribe\?token=1"[^>]*>Не присылать такие письма</,
  );
  assert.doesNotMatch(html, /<img|src=|url\(|<i>/);
  assert.equal(
    letterText(letter),
    [
      '> Вы: Лифт <стоит>\n> Кто звонил?',
      'Галина <М>, 18:04:\n<i>Звонила\nОбещали\nОтветить: https://wall.example/posts/7',
      'Открыть обсуждение: https://wall.example/posts/6',
      'Вам ответили.\nНе присылать такие письма: https://wall.example/unsubscribe?token=1',
      '— Двор\n',
    ].join('\n\n'),
  );
});

test('a code stands in the subject and once in the text, in the last line with the host, for every purpose', () => {
  for (const purpose of ['login', 'registration', 'email-change', 'program-token', 'deletion'] as const) {
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
