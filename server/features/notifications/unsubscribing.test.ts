import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, day, lettersNow, subscriber, tuesday } from '../../../test/kit/digest.ts';
import {
  type Member,
  publish,
  register,
  renew,
  startEmailChange,
  verifyEmailChange,
} from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { newAddress } from '../../../test/kit/sign-in.ts';
import { openWall, type Wall, wallOver } from '../../../test/kit/wall.ts';
import { makeSecrets } from '../../secrets.ts';
import { unsubscribeToken } from './notification-routes.ts';

const settings = { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(900 * day) };

const onWall = onWalls(settings);

const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://mail.example' };
const form = 'application/x-www-form-urlencoded';
const boundary = 'a-boundary';

const digestOf = async (person: Member): Promise<string> =>
  (await person.send('GET', '/users/current/notification-settings')).json().digest;

/** The path of the link in a letter that a person has got. */
async function linkOf(wall: Wall, person: Member & { postId: string }): Promise<string> {
  await publish(await register(wall), 'ответ', `/posts/${person.postId}/replies`);
  wall.clock.now += day;
  const [letter] = await lettersNow(wall, person);
  return /^List-Unsubscribe:\s+<http:\/\/localhost:3000(\S+)>/im.exec(letter!.source)![1]!;
}

/** The request of a mail program. */
const oneClick = (wall: Pick<Wall, 'app'>, url: string, headers: Record<string, string> = {}) =>
  wall.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': form, ...headers },
    payload: 'List-Unsubscribe=One-Click',
  });

onWall(
  'unsubscribing takes one request of a mail program, from any origin, without a session, any number of times',
  async (wall) => {
    wall.clock.now = tuesday;
    const [anna, boris] = [await subscriber(wall), await subscriber(wall, 'weekly')];
    const link = await linkOf(wall, anna);
    for (let i = 0; i < 2; i += 1) {
      const page = await wall.get(link);
      assert.equal(page.status, 200);
      assert.ok(/<h2[^>]*>Больше не присылать писем\?</.test(page.text) && page.text.includes('<form '), 'asks first');
      assert.equal(page.headers['set-cookie'], undefined);
    }
    assert.equal(await digestOf(anna), 'daily', 'opening the page changes nothing');
    for (const headers of [{}, foreign]) {
      await choose(anna, 'daily');
      const done = await oneClick(wall, link, headers);
      assert.deepEqual([done.statusCode, done.headers.location], [200, undefined], done.body);
      assert.equal(await digestOf(anna), 'off');
      assert.equal((await oneClick(wall, link, headers)).statusCode, 200, 'again');
    }
    await choose(anna, 'weekly');
    const payload = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;
    const type = `multipart/form-data; boundary=${boundary}`;
    const multipart = await wall.app.inject({
      method: 'POST',
      url: link,
      headers: { 'content-type': type },
      payload,
    });
    assert.equal(multipart.statusCode, 200, multipart.body);
    assert.equal(await digestOf(anna), 'off');
    assert.equal(await digestOf(boris), 'weekly', 'of others nothing changes');
    await publish(boris, 'ответ', `/posts/${anna.postId}/replies`);
    wall.clock.now += 2 * day;
    assert.equal((await lettersNow(wall, anna)).length, 0);
  },
);

onWall('unsubscribing ends with the address that the letter went to', async (wall) => {
  wall.clock.now = tuesday;
  const anna = await subscriber(wall);
  const link = await linkOf(wall, anna);
  const email = newAddress();
  await renew(anna);
  const { id } = (await startEmailChange(anna, email)).json();
  assert.equal((await verifyEmailChange(anna, id, await wall.mail.codeTo(email))).statusCode, 200);
  assert.equal((await oneClick(wall, link)).statusCode, 404);
  const byForm = await wall.app.inject({
    method: 'POST',
    url: link,
    headers: { 'content-type': form },
    payload: '',
  });
  assert.equal(byForm.headers.location, '/unsubscribe/unknown');
  assert.equal(await digestOf(anna), 'daily');
  assert.equal((await oneClick(wall, await linkOf(wall, { ...anna, email }))).statusCode, 200);
  assert.equal(await digestOf(anna), 'off');
});

onWall('unsubscribing by the form of the page shows what came of it', async (wall) => {
  wall.clock.now = tuesday;
  const anna = await subscriber(wall);
  const link = await linkOf(wall, anna);
  const press = async (url: string): Promise<string> => {
    const headers = { 'content-type': form, 'sec-fetch-site': 'same-origin' };
    const sent = await wall.app.inject({ method: 'POST', url, headers, payload: '' });
    assert.equal(sent.statusCode, 303, sent.body);
    const { status, text } = await wall.get(sent.headers.location!);
    assert.equal(status, 200);
    return /<h2[^>]*>([^<]*)</.exec(text)![1]!.replace(/\s/g, ' ');
  };
  const token = link.split('token=')[1]!;
  const [id, at, signature] = token.split('.') as [string, string, string];
  for (const wrong of [
    '',
    'a',
    `${id}.${at}`,
    `${Number(id) + 1}.${at}.${signature}`,
    `${id}.${at}0.${signature}`,
    `${token}a`,
    `${token}&token=a`,
  ]) {
    const url = `/unsubscribe?token=${wrong}`;
    assert.equal(await press(url), 'Ссылка не подходит', wrong);
    assert.equal((await oneClick(wall, url)).statusCode, 404);
  }
  const accessToken = anna.token!.split('.').at(-1)!;
  assert.equal(await press(`/unsubscribe?token=${id}.${at}.${accessToken.slice(0, 43)}`), 'Ссылка не подходит');
  assert.equal(await digestOf(anna), 'daily');
  wall.clock.now += 365 * day + 1;
  assert.equal(await press(link), 'Ссылка больше не действует');
  assert.equal(await digestOf(anna), 'daily');
  wall.clock.now -= 2;
  assert.equal(await press(link), 'Письма больше не придут');
  assert.equal(await digestOf(anna), 'off');
});

test('links of letters outlive a change of the secret', async () => {
  const [first, second] = ['the first secret of thirty-two letters', 'the second secret of thirty-two letters'];
  await using wall = await openWall('sqlite', settings);
  const anna = await subscriber(wall);
  const link = `/unsubscribe?token=${unsubscribeToken(makeSecrets(first), { id: Number(anna.id), email: anna.email, letter: 'digest' }, wall.clock.now)}`;
  const under = async (secrets: NodeJS.ProcessEnv): Promise<number> => {
    await using other = await wallOver(wall.db, { ...settings, ...secrets });
    return (await oneClick(other, link)).statusCode;
  };
  assert.equal(await under({ SECRET: second }), 404);
  assert.equal(await under({ SECRET: second, SECRET_PREVIOUS: first }), 200);
});
