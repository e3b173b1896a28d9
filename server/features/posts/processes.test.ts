import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { device, newAddress } from '../../../test/kit/sign-in.ts';
import { type FreshPlace, freshPlace, openPlace } from '../../../test/kit/engines.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { type ServerProcess, startServer } from '../../../test/kit/server-process.ts';
import { type MailServer, startMailServer } from '../../../test/kit/smtp.ts';
import { withinTurns } from '../../../test/kit/turns.ts';
import { recount } from '../../commands/verify-data/recount.ts';

const clientToken = 'one client';

describe('two processes on one PostgreSQL are one wall', () => {
  let place: FreshPlace;
  let mail: MailServer;
  let servers: [ServerProcess, ServerProcess];
  before(async () => {
    place = await freshPlace('postgres');
    mail = await startMailServer();
    const settings = { SMTP_URL: mail.url, CODE_RESEND_SECONDS: '0', READS_PER_MINUTE: '1000000' };
    servers = await Promise.all([startServer(place.place, settings), startServer(place.place, settings)]);
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await mail.close();
    await place.remove();
  });

  type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
  interface Sending {
    token?: string;
    body?: object;
    key?: string;
  }
  const send = (i: number, method: Method, path: string, { token, body, key }: Sending = {}): Promise<Response> =>
    fetch(`${servers[i % 2]!.address}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  async function signUp(i: number): Promise<string> {
    const email = newAddress();
    const start = await send(i, 'POST', '/registrations', { body: { email, clientToken, device } });
    const { id } = (await start.json()) as { id: string };
    const confirmCode = await mail.codeTo(email);
    const entered = await send(i, 'POST', `/registrations/${id}/verify`, { body: { confirmCode, clientToken } });
    return ((await entered.json()) as { accessToken: { token: string } }).accessToken.token;
  }

  const many = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i)));

  const publish = async (i: number, token: string, text: string): Promise<Post> => {
    const response = await send(i, 'POST', '/posts', { token, body: { text } });
    assert.equal(response.status, 201);
    return (await response.json()) as Post;
  };

  /** A busy process may respond that the request should be sent again. */
  const statusOf = async (...request: Parameters<typeof send>): Promise<number> => {
    for (;;) {
      const { status } = await send(...request);
      if (status !== 503) return status;
    }
  };

  test('an idempotency key sent to both writes once', async () => {
    const token = await signUp(0);
    const responses = await many(40, (i) => send(i, 'POST', '/posts', { token, body: { text: 'раз' }, key: 'k1' }));
    const ids = await Promise.all(responses.map(async (response) => ((await response.json()) as Post).id));
    assert.equal(new Set(ids).size, 1);
    assert.ok(responses.every(({ status }) => status === 201));
  });

  test('the budget of five posts a minute holds for both together', async () => {
    const token = await signUp(1);
    const responses = await many(40, (i) => send(i, 'POST', '/posts', { token, body: { text: `${i}` } }));
    assert.equal(responses.filter(({ status }) => status === 201).length, 5);
    assert.equal(responses.filter(({ status }) => status === 429).length, 35);
  });

  test('counts likes and replies of both exactly, and shows in one what the other writes', async () => {
    const people = await many(10, signUp);
    const { id } = await publish(0, people[0]!, 'общая');
    await many(200, (i) =>
      send(Math.floor(i / 10), i % 20 < 10 ? 'POST' : 'DELETE', `/posts/${id}/likes`, { token: people[i % 10]! }),
    );
    await many(10, (i) => statusOf(i, 'POST', `/posts/${id}/likes`, { token: people[i]! }));
    const replied = await many(40, (i) =>
      statusOf(i, 'POST', `/posts/${id}/replies`, {
        token: people[i % 10]!,
        body: { text: `${i}` },
        key: `reply-${i}`,
      }),
    );
    assert.ok(replied.every((status) => status === 201));
    for (const i of [0, 1]) {
      const post = (await (await send(i, 'GET', `/posts/${id}`)).json()) as Post;
      assert.deepEqual([post.actions.likes_count, post.actions.replies_count], [10, 40]);
    }
    const events = await readEvents(`${servers[1].address}/api/v1/events`);
    // More than once: the first one may come just before process 1 looks for changes anyway.
    for (const text of ['изменённая', 'опять изменённая', 'снова изменённая']) {
      await send(0, 'PATCH', `/posts/${id}`, { token: people[0]!, body: { text } });
      const isSent = () => events.received.some(({ changes }) => changes.changed.some((post) => post.text === text));
      await withinTurns(100, () => isSent() || undefined);
      assert.equal(((await (await send(1, 'GET', `/posts/${id}`)).json()) as Post).text, text);
    }
    events.close();
    const db = await openPlace(place.place);
    assert.deepEqual(await Array.fromAsync(recount(db.read)), []);
    await db.close();
  });
});
