import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { newAddress } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import {
  type Member,
  outcome,
  register,
  startDeletion,
  startEmailChange,
  verifyDeletion,
  verifyEmailChange,
} from '../../../test/kit/member.ts';
import { startToken, verifyToken } from '../../../test/kit/api-token.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

interface Purpose {
  start(member: Member, newAddress: string): Promise<LightMyRequestResponse>;
  /** The recipient of the code. */
  to(member: Member, newAddress: string): string;
  verify(member: Member, id: string, code: string): Promise<LightMyRequestResponse>;
  status: 200 | 201 | 204;
  /** Whether the call needs a session. */
  personal: boolean;
}

const toOwn = ({ email }: Member): string => email;

const purposes: Record<string, Purpose> = {
  login: {
    start: (member) => member.start('logins', member.email),
    to: toOwn,
    verify: (member, id, code) => member.verify('logins', id, code),
    status: 200,
    personal: false,
  },
  registration: {
    start: (member) => member.start('registrations', member.email),
    to: toOwn,
    verify: (member, id, code) => member.verify('registrations', id, code),
    status: 200,
    personal: false,
  },
  deletion: {
    start: startDeletion,
    to: toOwn,
    verify: verifyDeletion,
    status: 204,
    personal: true,
  },
  'program token': {
    start: startToken,
    to: toOwn,
    verify: verifyToken,
    status: 201,
    personal: true,
  },
  'email change': {
    start: startEmailChange,
    to: (_, address) => address,
    verify: verifyEmailChange,
    status: 200,
    personal: true,
  },
};

interface Started {
  member: Member;
  name: string;
  id: string;
  code: string;
}

async function startAll(wall: Wall, member: Member): Promise<Started[]> {
  const started: Started[] = [];
  const address = newAddress();
  for (const [name, { start, to }] of Object.entries(purposes)) {
    const { id } = (await start(member, address)).json();
    started.push({ member, name, id, code: await wall.mail.codeTo(to(member, address)) });
  }
  return started;
}

for (const engine of engines) {
  describe(`codes on ${engine}`, () => {
    test('work only for their own purpose and person', async () => {
      await using wall = await openWall(engine);
      const members = [await register(wall), await register(wall)];
      wall.clock.now += 61;
      const started = (await Promise.all(members.map((member) => startAll(wall, member)))).flat();

      for (const { member: owner, name: own, id, code } of started) {
        for (const [name, { verify, personal }] of Object.entries(purposes)) {
          for (const member of members) {
            if (name === own && (member === owner || !personal)) continue;
            // Even with the device cookie of the other person.
            const caller = { ...member, clientToken: owner.clientToken };
            assert.deepEqual(
              await outcome(verify(caller, id, code)),
              [400, 'OPERATION_EXPIRED'],
              `${own} of ${owner.username} as ${name} by ${member.username}`,
            );
          }
        }
      }

      for (const [index, { member, name, id }] of started.entries()) {
        const foreign = started[(index + 1) % started.length]!.code;
        if (foreign === started[index]!.code) continue;
        assert.deepEqual(await outcome(purposes[name]!.verify(member, id, foreign)), [400, 'INVALID_CONFIRM_CODE']);
      }
      for (const name of ['login', 'registration', 'program token', 'deletion']) {
        for (const { member, id, code } of started.filter((one) => one.name === name)) {
          const { verify, status } = purposes[name]!;
          assert.deepEqual(await outcome(verify(member, id, code)), [status], name);
        }
      }
    });

    test('become invalid when the address of the account changes', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      wall.clock.now += 61;
      const started = await startAll(wall, anna);
      const change = started.pop()!;
      assert.deepEqual(await outcome(verifyEmailChange(anna, change.id, change.code)), [200]);
      for (const { name, id, code } of started.filter((one) => one.name !== 'registration')) {
        assert.deepEqual(await outcome(purposes[name]!.verify(anna, id, code)), [400, 'OPERATION_EXPIRED'], name);
      }
      assert.equal((await anna.send('GET', '/users/current')).json().id, anna.id);
    });
  });
}
