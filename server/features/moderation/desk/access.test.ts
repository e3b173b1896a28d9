import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPrefix, isForKeepers } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { admin as adminOf } from '../../../../test/kit/admin.ts';
import { appoint, confirm, registerModerator } from '../../../../test/kit/desk.ts';
import { engines } from '../../../../test/kit/engines.ts';
import { type Member, publish, register } from '../../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../../test/kit/wall.ts';

const calls = table.filter(({ endpoint }) => isForKeepers(endpoint.access));

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const payloads = [undefined, '{}', '{"reason":1}', 'not json', '{"x":'.repeat(50)];

/** The only responses to anybody without the role, whatever they send. */
async function strangersView(wall: Wall, path: string, authorization?: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const method of methods) {
    for (const payload of payloads) {
      for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://evil.example' }]) {
        const response = await wall.app.inject({
          method,
          url: path,
          headers: {
            ...headers,
            ...(authorization !== undefined && { authorization }),
            ...(payload !== undefined && { 'content-type': 'application/json' }),
          },
          ...(payload !== undefined && { payload }),
        });
        const { date: _date, ...rest } = response.headers;
        seen.push([method, payload, response.statusCode, response.body, rest]);
      }
    }
  }
  return seen;
}

const admin = (wall: Wall, ...args: string[]) => adminOf(wall.db, ...args, '--reason', 'проверка');

for (const engine of engines) {
  test(`to everybody but moderators every call of the desk looks missing, and those of owners to moderators, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const [person, former, blocked, moderator] = [
      await register(wall),
      await registerModerator(wall),
      await registerModerator(wall, 'owner'),
      await registerModerator(wall),
    ];
    await confirm(wall, former);
    await admin(wall, 'dismiss-moderator', former.username);
    await admin(wall, 'block', blocked.username);
    const post = await publish(person, 'запись');
    const viewers: Record<string, string | undefined> = {
      visitor: undefined,
      person: `Bearer ${person.token}`,
      former: `Bearer ${former.token}`,
      blocked: `Bearer ${blocked.token}`,
      moderator: `Bearer ${moderator.token}`,
      forged: 'Bearer 1.9999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      garbage: 'Basic x',
    };
    const journalBefore = await wall.db.read.selectFrom('operator_log').selectAll().execute();
    const faults: string[] = [];
    for (const [viewer, authorization] of Object.entries(viewers)) {
      const unknown = await strangersView(wall, `${apiPrefix}/moderationist`, authorization);
      for (const { name, endpoint, example } of calls) {
        if (viewer === 'moderator' && endpoint.access === 'moderator') continue;
        const path =
          apiPrefix +
          endpoint.path.replace('{id}', post.id).replace('{username}', person.username).replace('{name}', 'rules');
        const seen = await strangersView(wall, path, authorization);
        for (const [i, view] of seen.entries()) {
          if (JSON.stringify(view) !== JSON.stringify(unknown[i]))
            faults.push(`${viewer} ${name}: ${JSON.stringify(view)}`);
        }
        const sent = await wall.app.inject({
          method: endpoint.method,
          url: path,
          headers: { 'sec-fetch-site': 'same-origin', ...(authorization !== undefined && { authorization }) },
          // Without it the matrix would not notice a check that comes too late.
          ...(example.body !== undefined && { payload: example.body as object }),
        });
        if (sent.statusCode !== 404 || sent.json().code !== 'NOT_FOUND') faults.push(`${viewer} ${name}: ${sent.body}`);
      }
    }
    assert.deepEqual(faults.slice(0, 5), []);
    assert.deepEqual(await wall.db.read.selectFrom('operator_log').selectAll().execute(), journalBefore);
    assert.equal((await wall.get(`/api/v1/posts/${post.id}`)).status, 200);
  });

  test(`an owner finds every call of the desk, until the next request after the role is gone, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
    const [person, owner, other] = [
      await register(wall),
      await registerModerator(wall, 'owner'),
      await registerModerator(wall, 'owner'),
    ];
    await confirm(wall, owner);
    const post = await publish(person, 'запись');
    const ask = (member: Member, { name, endpoint, example }: (typeof calls)[number]) => {
      const path = endpoint.path
        .replace('{id}', post.id)
        .replace('{username}', person.username)
        .replace('{name}', 'rules');
      const body =
        example.body === undefined ? undefined : { ...example.body, ...(name === 'pinPost' && { post_id: post.id }) };
      return member.send(endpoint.method, path, body);
    };
    /** Calls for which there is nothing yet; their messages differ from those of an unknown path. */
    const found = async (member: Member, call: (typeof calls)[number]): Promise<boolean> => {
      const response = await ask(member, call);
      return response.statusCode !== 404 || response.json().message !== 'Ничего не найдено.';
    };
    for (const call of calls) assert.equal(await found(owner, call), true, call.name);
    assert.equal((await owner.send('GET', '/users/current')).json().role, 'owner');
    assert.ok(!('role' in (await person.send('GET', '/users/current')).json()));

    await admin(wall, 'dismiss-moderator', owner.username);
    for (const call of calls) assert.equal(await found(owner, call), false, call.name);
    assert.ok(!('role' in (await owner.send('GET', '/users/current')).json()));
    await appoint(wall, owner, 'owner');
    assert.equal((await owner.send('GET', '/moderation/confirmation')).json().confirmed_until, null);
    await admin(wall, 'block', owner.username);
    assert.equal((await other.send('GET', '/moderation/reports')).statusCode, 200);
    for (const call of calls) assert.equal(await found(owner, call), false, call.name);
  });
}
