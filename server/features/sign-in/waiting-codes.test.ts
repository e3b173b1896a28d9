import assert from 'node:assert/strict';
import type { WaitingCodes } from '#contract/wall-admin.ts';
import { appoint, journal, registerModerator } from '../../../test/kit/desk.ts';
import { type Member, outcome } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { pollWithin } from '../../../test/kit/polling.ts';
import { type Browser, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { type Wall, wallOver } from '../../../test/kit/wall.ts';
import { signedIn } from '../../../test/kit/signed-in.ts';

const settings = { RATE_LIMITS: 'off', CODE_TTL_SECONDS: '600', CODE_RESEND_SECONDS: '0' };

const onWall = onWalls({ ...settings, SMTP_URL: '' }, 'without a mail server');

async function ownerOf(wall: Wall, username: string): Promise<Member> {
  const id = await wall.person(username);
  await appoint(wall, { id: String(id) }, 'owner');
  await wall.db.tx(({ db }) =>
    db.updateTable('users').set({ display_name: 'Анна Петровна' }).where('id', '=', id).execute(),
  );
  const { token } = await signedIn(wall.db, id);
  return Object.assign(openBrowser(wall), { token, id: String(id), username, email: `${username}@example.org` });
}

const codesFor = async (owner: Browser): Promise<WaitingCodes['codes']> => {
  const response = await owner.send('GET', '/keep/waiting-codes');
  assert.equal(response.statusCode, 200, response.body);
  return (response.json() as WaitingCodes).codes;
};

onWall(
  'owners read the codes of new people, and of nobody else, and the journal names what they have read',
  async (wall) => {
    const owner = await ownerOf(wall, 'anna');
    assert.deepEqual(await codesFor(owner), []);
    const boris = openBrowser(wall);
    const email = newAddress();
    const { id } = (await boris.start('registrations', email)).json();
    const [waiting] = await pollWithin(2_000, async () => {
      const found = await codesFor(owner);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual([waiting!.address, waiting!.expires_at], [email, wall.clock.now + 600]);
    const state = await boris.send('GET', `/mail/${id}?clientToken=${encodeURIComponent(boris.clientToken)}`);
    assert.deepEqual(state.json(), { state: 'accepted', ask: 'Анна Петровна' });
    await codesFor(owner);
    const shown = (await journal(owner)).map(({ action, by, target }) => [action, by, target]);
    assert.deepEqual(shown, [['see-code', 'anna', `${email[0]}…@example.org`]], 'once for each owner');

    const entered = await boris.verify('registrations', id, waiting!.code);
    assert.equal(entered.statusCode, 200, entered.body);
    assert.deepEqual(await codesFor(owner), []);

    // Codes that open an account are shown at the terminal alone.
    await openBrowser(wall).start('logins', email);
    await openBrowser(wall).start('registrations', email);
    const sent = wall.db.read.selectFrom('outbox').select('sealed').where('recipient', '=', email);
    await pollWithin(2_000, async () =>
      (await sent.where('state', '=', 'sending').execute()).length === 0 ? true : undefined,
    );
    assert.deepEqual(await codesFor(owner), []);
    assert.equal((await sent.where('sealed', '<>', '').execute()).length, 1, 'only that of the registration before');
    assert.deepEqual(await outcome(boris.send('GET', '/keep/waiting-codes')), [404, 'NOT_FOUND']);
  },
);

onWall('a code that an owner has read opens no account that the address has got since', async (wall) => {
  const owner = await ownerOf(wall, 'anna');
  const email = newAddress();
  const [here, there] = [openBrowser(wall), openBrowser(wall)];
  const ids = [
    (await here.start('registrations', email)).json().id,
    (await there.start('registrations', email)).json().id,
  ];
  const codes = await pollWithin(2_000, async () => {
    const found = await codesFor(owner);
    return found.length === 2 ? found : undefined;
  });
  assert.equal((await here.verify('registrations', ids[0], codes[1]!.code)).statusCode, 200);
  assert.deepEqual(await outcome(there.verify('registrations', ids[1], codes[0]!.code)), [400, 'OPERATION_EXPIRED']);
});

onWall('a code that has expired is not shown', async (wall) => {
  const owner = await ownerOf(wall, 'anna');
  await openBrowser(wall).start('registrations', newAddress());
  await pollWithin(2_000, async () => ((await codesFor(owner)).length > 0 ? true : undefined));
  wall.clock.now += 600;
  assert.deepEqual(await codesFor(owner), []);
});

onWalls(settings)('with a mail server owners read no codes, and nothing is left of them', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  await using other = await wallOver(wall.db, { ...settings, SMTP_URL: '' });
  const email = newAddress();
  const { id } = (await openBrowser(wall).start('registrations', email)).json();
  await wall.mail.codeTo(email);
  const settled = wall.db.read
    .selectFrom('outbox')
    .select('sealed')
    .where('operation_id', '=', id)
    .where('next_try_at', 'is', null);
  assert.equal((await pollWithin(2_000, () => settled.executeTakeFirst())).sealed, '');
  assert.deepEqual(await codesFor(owner), []);
  const elsewhere = Object.assign(openBrowser(other), { token: owner.token });
  assert.deepEqual(await codesFor(elsewhere), []);
});
