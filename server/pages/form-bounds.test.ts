import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { engines } from '../../test/kit/engines.ts';
import { enter } from '../../test/kit/journeys/enter.ts';
import { openStory } from '../../test/kit/journeys/open-story.ts';
import { personalPaths } from '../../test/kit/journeys/pages.ts';
import { openTextBrowser } from '../../test/kit/journeys/text-browser.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { openWall } from '../../test/kit/wall.ts';
import { reads } from '../../test/kit/journeys/act.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const fields = (count: number) => new URLSearchParams(Array.from({ length: count }, (_, i) => [`f${i}`, '']));
const kilobytes = (count: number) => new URLSearchParams({ text: 'x'.repeat(count * 1_024 - 'text='.length) });

test('a form has at most sixty fields and 16 kB, and 256 kB where texts are written', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall, 'anna_k', 'owner');
  const { postId, author, seed } = wall.world;
  const [own] = await seed.posts([{ by: browser.id, text: 'Своя' }]);
  const paths = { own: own!, other: postId, name: author.name };
  const isWritten = /^\/(new|keep(?!\/))|\/(reply|edit|report)$/;
  for (const path of ['/sign-in', ...personalPaths(paths)]) {
    await browser.open(path);
    for (const form of browser.forms()) assert.ok(form.size <= 20, `${path}: ${form.size} fields`);
    const statusOf = async (form: URLSearchParams) => (await browser.post(form)).status;
    const isWriting = isWritten.test(path);
    assert.deepEqual([await statusOf(fields(60)), await statusOf(fields(61))], [303, 400], path);
    assert.deepEqual(
      [await statusOf(kilobytes(16)), await statusOf(kilobytes(17)), await statusOf(kilobytes(257))],
      [422, isWriting ? 422 : 413, 413],
      path,
    );
  }
});

test('a form of another origin is refused before its body arrives', async () => {
  await using wall = await openStory('sqlite');
  const socket = connect(Number(new URL(wall.url).port), '127.0.0.1');
  const head = ['POST /new HTTP/1.1', 'host: localhost', 'origin: https://evil.example', 'accept: text/html'];
  const body = ['content-type: application/x-www-form-urlencoded', 'content-length: 16000', '', ''];
  socket.write([...head, ...body].join('\r\n'));
  const [received] = (await once(socket, 'data')) as [Buffer];
  assert.match(received.toString(), /^HTTP\/1\.1 403 /);
  socket.destroy();
});

test('large forms that are being read or wait hold 4 MB at most, those of one network 1 MB', async () => {
  await using wall = await openStory('sqlite', { TRUST_PROXY: '127.0.0.1' });
  const length = 250_000;
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': length };
  const begin = (network: number): ClientRequest => {
    const headers = { ...form, 'x-forwarded-for': `192.0.2.${network}`, expect: '100-continue' };
    const sent = httpRequest(new URL('/new', wall.url), { method: 'POST', headers, agent: false });
    sent.on('error', () => {});
    sent.flushHeaders();
    return sent;
  };
  const statusOf = async (sent: ClientRequest): Promise<number> => {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.destroy();
    return response.statusCode!;
  };
  const held: ClientRequest[] = [];
  const hold = async (network: number): Promise<void> => {
    const sent = begin(network);
    held.push(sent);
    await once(sent, 'continue');
  };
  for (let network = 1; network <= 4; network += 1) {
    for (let i = 0; i < 4; i += 1) await hold(network);
    assert.equal(await statusOf(begin(network)), 429, 'a network that holds four forms');
  }
  assert.equal(await statusOf(begin(6)), 429, 'another network, when all bytes are held');
  const small = await fetch(`${wall.url}/new`, {
    method: 'POST',
    body: new URLSearchParams({ text: 'x' }),
    redirect: 'manual',
  });
  assert.equal(small.status, 303, 'a form of at most 16 kB');
  // A response frees the bytes of its form, and so does a connection that ends.
  const [answered, ended] = held.splice(-2);
  assert.equal(await statusOf(answered!.end('x'.repeat(length))), 422);
  ended!.destroy();
  await pollWithin(500, async () => ((await statusOf(begin(6).end('x'.repeat(length)))) === 422 ? true : undefined));
  for (const sent of held) sent.destroy();
});

for (const engine of engines) {
  test(`nothing of a refused form is kept, nor the text of an accepted one, on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const owner = await enter(wall, 'anna_k', 'owner');
    await owner.open('/keep?text=rules');
    const grownAfter = async (send: (i: number) => Promise<Response>, status: number): Promise<number> => {
      const sendOne = async (i: number) => {
        const response = await send(i);
        await response.text();
        assert.equal(response.status, status);
      };
      await sendOne(-1);
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < 60; i += 1) await sendOne(i);
      collectGarbage();
      return process.memoryUsage().heapUsed - before;
    };
    // Neither previews, which are shown at once, nor forms without a token stay in memory.
    const previews = await grownAfter((i) => {
      const text = `${i}${'т'.repeat(40_000)}`;
      return owner.post(owner.formOf('Показать, как будет', { 'Текст с разметкой Markdown': text }));
    }, 422);
    const refused = await grownAfter(
      (i) => owner.post(new URLSearchParams({ text: `${i}${'x'.repeat(200_000)}` })),
      422,
    );
    assert.ok(previews < 2_000_000, `${previews} bytes`);
    assert.ok(refused < 2_000_000, `${refused} bytes`);
  });
}

test('what is no form is refused, and an act that every object has is none', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const visitor = openTextBrowser(wall.url);
  const json = { 'content-type': 'application/json' };
  for (const body of ['{"text":"x"}', '{"text":{"a":[1]},"token":[1],"nonce":{}}', '[]', '1', 'null', '{']) {
    for (const path of ['/new', '/sign-in', '/settings']) {
      const response = await fetch(wall.url + path, { method: 'POST', headers: json, body });
      assert.equal(response.status, 415, `${path} ${body}`);
    }
  }
  for (const act of ['constructor', 'toString', '__proto__', 'hasOwnProperty', '']) {
    for (const [who, path] of [
      [browser, '/settings'],
      [browser, '/keep'],
      [visitor, '/sign-in'],
    ] as const) {
      await who.open(path);
      const [form] = who.forms();
      if (!form) continue;
      form.set('act', act);
      assert.equal((await who.post(form)).status, 303, `${path} ${act}`);
    }
  }
});

test('a sign-in leads to an address with Russian words', async () => {
  await using wall = await openStory('sqlite');
  await wall.world.seed.person('anna_k');
  const browser = openTextBrowser(wall.url);
  await browser.open('/sign-in?next=/поиск?q=ключ');
  await browser.send('Получить код', { 'Электронная почта': 'anna_k@example.org' });
  await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo('anna_k@example.org') });
  await browser.follow('Продолжить');
  assert.equal(await browser.path(), `/${encodeURIComponent('поиск')}?q=${encodeURIComponent('ключ')}`);
  await reads(browser, '/settings', /Выйти/);
});

test('the reason of a failure in a page or a form is logged, and the person reads that something went wrong', async () => {
  const lines: string[] = [];
  await using wall = await openWall('sqlite', {}, pino({ level: 'error' }, { write: (line) => lines.push(line) }));
  const id = await wall.post(await wall.person('baker_of_bread'), 'Хлеб');
  await wall.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = openTextBrowser(`http://127.0.0.1:${(wall.app.server.address() as AddressInfo).port}`);
  await browser.open('/sign-in');
  wall.app.inject = () => {
    throw new Error('the reason of the failure');
  };
  await browser.send('Получить код', { 'Электронная почта': 'anna_k@example.org' });
  assert.match(await browser.text(), /Что-то пошло не так/);
  assert.equal(browser.valueOf('email'), 'anna_k@example.org');
  assert.match(lines.join(''), /the reason of the failure/);
  lines.length = 0;
  await reads(browser, `/posts/${id}/reply`, /Что-то пошло не так/);
  assert.match(lines.join(''), /the reason of the failure/);
});
