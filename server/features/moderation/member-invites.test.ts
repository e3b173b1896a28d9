import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Invitations } from '#contract/invitations.ts';
import type { Branch } from '#contract/moderation.ts';
import { confirm, journal, registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import type { RegistrationMode } from '../wall-texts/wall-settings.ts';
import { setRegistrationMode } from './invites.ts';

const day = 24 * 3_600;

const letIn = ({ db }: Wall, mode: RegistrationMode): Promise<void> => db.tx((tx) => setRegistrationMode(tx, mode));

/** Makes somebody an old hand: so many days on the wall, with so many posts. */
const settle = ({ db, clock }: Wall, { id }: Pick<Member, 'id'>, days = 14, posts = 5): Promise<unknown> =>
  db.tx((tx) =>
    tx.db
      .updateTable('users')
      .set({ created_at: clock.now - days * day, posts_count: posts })
      .where('id', '=', Number(id))
      .execute(),
  );

/** Registers people of a wall that is otherwise by invitation. */
async function whileOpen(wall: Wall, enter: (wall: Wall) => Promise<Member>): Promise<Member> {
  await letIn(wall, 'open');
  const member = await enter(wall);
  await letIn(wall, 'members');
  return member;
}

const registerModeratorIn = (wall: Wall): Promise<Member> => whileOpen(wall, (one) => registerModerator(one));

async function settled(wall: Wall): Promise<Member> {
  const member = await whileOpen(wall, (one) => register(one));
  await settle(wall, member);
  return member;
}

const own = async (member: Member): Promise<Invitations> =>
  (await member.send('GET', '/users/current/invitations')).json();
const make = (member: Member) => member.send('POST', '/users/current/invitations');

async function codeOf(member: Member): Promise<string> {
  const made = await make(member);
  assert.equal(made.statusCode, 201, made.body);
  return made.json().invitations[0].code;
}

/** Registers with an invitation. */
async function come(wall: Wall, code: string): Promise<Member> {
  const browser = openBrowser(wall);
  const email = newAddress();
  const body = { email, clientToken: browser.clientToken, device, invite: code };
  const started = await browser.send('POST', '/registrations', body);
  assert.equal(started.statusCode, 201, started.body);
  const entered = await browser.verify('registrations', started.json().id, await wall.mail.codeTo(email));
  assert.equal(entered.statusCode, 200, entered.body);
  return Object.assign(browser, (await browser.send('GET', '/users/current')).json());
}

/** Comes by an invitation of somebody, who is then an old hand. */
async function bring(wall: Wall, inviter: Member): Promise<Member> {
  const member = await come(wall, await codeOf(inviter));
  await settle(wall, member);
  return member;
}

const admits = async (wall: Wall, code: string): Promise<boolean> => {
  const { statusCode } = await openBrowser(wall).send('POST', '/registrations', {
    email: newAddress(),
    clientToken: 'x',
    device,
    invite: code,
  });
  const shown = (await wall.get(`/join/${code}`)).status === 200;
  assert.equal(statusCode === 201, shown, 'the page of the link says the same');
  return shown;
};

const branchOf = async (moderator: Member, { username }: Pick<Member, 'username'>): Promise<Branch> =>
  (await moderator.send('GET', `/moderation/people/${username}/branch`)).json();

for (const engine of engines) {
  describe(`invitations of members on ${engine}`, () => {
    test('are for those who have been here long enough and have written, and say what is missing', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const anna = await register(wall);
      const refused = async () => {
        const { left, refused: why, next_at: at } = await own(anna);
        assert.equal(left, 0);
        assert.deepEqual(await outcome(make(anna)), [403, 'FORBIDDEN']);
        assert.equal((await make(anna)).json().message, why);
        return [why, at] as const;
      };
      assert.match((await refused())[0]!, /может каждый/);
      await letIn(wall, 'invite');
      assert.match((await refused())[0]!, /те, кто её ведёт/);
      await letIn(wall, 'closed');
      assert.match((await refused())[0]!, /не заводят/);
      await letIn(wall, 'members');
      const rule = 'Приглашают те, кто на стене не меньше 14 дн. и у кого записей не меньше 5.';
      const since = wall.clock.now + 14 * day;
      const both = `${rule} Вам осталось подождать дней: 14 и написать записей: 5.`;
      assert.deepEqual(await refused(), [both, since]);
      await settle(wall, anna, 14, 4);
      assert.deepEqual(await refused(), [`${rule} Вам осталось написать записей: 1.`, null]);
      await settle(wall, anna, 13, 5);
      assert.deepEqual(await refused(), [`${rule} Вам осталось подождать дней: 1.`, wall.clock.now + day]);
      await settle(wall, anna);
      assert.deepEqual(await own(anna), { invitations: [], left: 3, refused: null, next_at: null });
    });

    test('are in the export of the person who has made them, with who came', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const anna = await settled(wall);
      const boris = await come(wall, await codeOf(anna));
      await anna.send('DELETE', `/users/current/invitations/${(await make(anna)).json().invitations[0].id}`);
      await make(anna);
      const line = { created_at: wall.clock.now, is_open: false, used_at: null, used_by: null };
      assert.deepEqual((await anna.send('GET', '/users/current/export')).json().invitations, [
        { ...line, used_at: wall.clock.now, used_by: boris.username },
        line,
        { ...line, is_open: true },
      ]);
      assert.deepEqual((await boris.send('GET', '/users/current/export')).json().invitations, []);
    });

    test('are three a month, exactly, however many are asked for at once', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const anna = await settled(wall);
      const statuses = (await Promise.all(Array.from({ length: 20 }, () => make(anna)))).map((made) => made.statusCode);
      assert.equal(statuses.filter((status) => status === 201).length, 3);
      assert.equal(statuses.filter((status) => status === 403).length, 17);
      const { invitations, left, next_at: at, refused } = await own(anna);
      assert.deepEqual([invitations.length, left, at], [3, 0, wall.clock.now + 30 * day]);
      assert.match(refused!, /в месяц их 3\. Следующая — через 30 дн\./);
      assert.equal(new Set(invitations.map(({ code }) => code)).size, 3);
      // One that is ended has been made all the same.
      const ended = await anna.send('DELETE', `/users/current/invitations/${invitations[0]!.id}`);
      assert.deepEqual([ended.statusCode, ended.json().invitations.length, ended.json().left], [200, 2, 0]);
      const moderator = await registerModeratorIn(wall);
      for (let n = 0; n < 5; n += 1) assert.equal((await make(moderator)).statusCode, 201);
      assert.equal((await own(moderator)).left, null);
      await wall.db.tx((tx) =>
        tx.db
          .updateTable('invites')
          .set({ created_at: wall.clock.now - 30 * day })
          .execute(),
      );
      assert.equal((await own(anna)).left, 3);
    });

    test('a repeated request makes one link', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const anna = await settled(wall);
      const again = () => anna.send('POST', '/users/current/invitations', undefined, { 'idempotency-key': 'k' });
      for (const { statusCode } of [await again(), await again()]) assert.equal(statusCode, 201);
      assert.equal((await own(anna)).left, 2);
    });

    test('admit one person, who is recorded with the inviter; their codes can be read again', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const [anna, other] = [await settled(wall), await settled(wall)];
      const moderator = await registerModeratorIn(wall);
      const code = await codeOf(anna);
      const [open] = (await own(anna)).invitations;
      assert.deepEqual([open!.code, open!.is_open, open!.used_by], [code, true, null]);
      assert.ok(open!.url.endsWith(`/join/${code}`), open!.url);
      assert.ok(!JSON.stringify(await wall.db.read.selectFrom('invites').selectAll().execute()).includes(code));
      assert.match((await wall.get(`/join/${code}`)).text, new RegExp(`Приглашает.*${anna.username}`));
      const boris = await come(wall, code);
      assert.equal(await admits(wall, code), false);
      const [used] = (await own(anna)).invitations;
      assert.deepEqual([used!.is_open, used!.used_by], [false, boris.username]);
      assert.deepEqual((await branchOf(moderator, boris)).inviter, { username: anna.username, display_name: null });
      const gone = anna.send('DELETE', `/users/current/invitations/${used!.id}`);
      assert.deepEqual(await outcome(gone), [404, 'NOT_FOUND']);

      const second = await codeOf(anna);
      const { id } = (await own(anna)).invitations[0]!;
      const foreign = other.send('DELETE', `/users/current/invitations/${id}`);
      assert.deepEqual(await outcome(foreign), [404, 'NOT_FOUND']);
      assert.equal(await admits(wall, second), true);
      await anna.send('DELETE', `/users/current/invitations/${id}`);
      assert.equal(await admits(wall, second), false);
    });

    test('work as the mode says and while their maker is there; those of keepers in all modes but the last', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      await letIn(wall, 'members');
      const anna = await settled(wall);
      const moderator = await registerModeratorIn(wall);
      const [code, keepers] = [await codeOf(anna), await codeOf(moderator)];
      const made = await moderator.send('POST', '/moderation/invites', { count: 1, seats: 9, reason: 'двор' });
      const sheet = made.json().codes[0] as string;
      const admitted = async () => [await admits(wall, code), await admits(wall, keepers), await admits(wall, sheet)];
      assert.deepEqual(await admitted(), [true, true, true]);
      await letIn(wall, 'invite');
      assert.deepEqual(await admitted(), [false, true, true]);
      await letIn(wall, 'closed');
      assert.deepEqual(await admitted(), [false, false, false]);
      const start = (invite?: string) =>
        openBrowser(wall).send('POST', '/registrations', {
          email: newAddress(),
          clientToken: 'x',
          device,
          ...(invite && { invite }),
        });
      for (const answer of [await start(), await start(sheet)]) assert.match(answer.json().message, /не заводят/);
      await letIn(wall, 'members');
      assert.match((await start()).json().message, /участник стены/);
      await confirm(wall, moderator);
      const path = `/moderation/people/${anna.username}`;
      await moderator.send('POST', `${path}/block`, { reason: 'спам', remove_posts: false });
      assert.deepEqual(await admitted(), [false, true, true]);
      await moderator.send('POST', `${path}/unblock`, { reason: 'ошибка', restore_posts: false });
      assert.deepEqual(await admitted(), [true, true, true]);
      const again = openBrowser(wall);
      await again.enter('logins', anna.email);
      await deleteAccount(wall, Object.assign(again, { ...anna, ...again }));
      assert.deepEqual(await admitted(), [false, true, true]);
    });

    test('whose branch may not invite makes none, and its links admit nobody until that is undone', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const moderator = await registerModeratorIn(wall);
      const anna = await settled(wall);
      const boris = await bring(wall, anna);
      const [vera, other] = [await bring(wall, boris), await settled(wall)];
      const codes = [await codeOf(anna), await codeOf(vera)];
      const right = (method: 'PUT' | 'DELETE') =>
        moderator.send(method, `/moderation/people/${anna.username}/inviting`, { reason: 'приводит ботов' });
      const ended = await right('DELETE');
      assert.equal(ended.statusCode, 200, ended.body);
      assert.equal((await right('DELETE')).json().act_id, null);
      for (const code of codes) assert.equal(await admits(wall, code), false);
      for (const member of [anna, boris, vera]) {
        assert.match((await own(member)).refused!, /больше не приглашаете/);
        assert.equal((await make(member)).statusCode, 403);
      }
      assert.equal((await make(other)).statusCode, 201);
      assert.deepEqual(
        await Promise.all([anna, vera, other].map(async (who) => (await branchOf(moderator, who)).may_invite)),
        ['no', 'branch', 'yes'],
      );
      const undone = await moderator.send('POST', `/moderation/journal/${ended.json().act_id}/undo`, { reason: 'зря' });
      assert.equal(undone.statusCode, 200, undone.body);
      for (const code of codes) assert.equal(await admits(wall, code), true);
      assert.equal((await right('PUT')).json().act_id, null);
      const acts = (await journal(moderator)).map(({ action, target, undo }) => [action, target, undo]);
      assert.deepEqual(acts, [
        ['end-inviting', anna.username, false],
        ['allow-inviting', anna.username, true],
      ]);
      const keeper = moderator.send('DELETE', `/moderation/people/${moderator.username}/inviting`, { reason: 'x' });
      assert.deepEqual(await outcome(keeper), [403, 'FORBIDDEN']);
    });

    test('a branch is blocked without keepers, a hundred people at once, each to be undone alone', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      await letIn(wall, 'members');
      const moderator = await registerModeratorIn(wall);
      const anna = await settled(wall);
      const boris = await bring(wall, anna);
      const keeper = await bring(wall, boris);
      const vera = await bring(wall, keeper);
      await wall.db.tx(({ db }) =>
        db.updateTable('users').set({ role: 'moderator' }).where('id', '=', Number(keeper.id)).execute(),
      );
      for (let n = 0; n < 101; n += 1) {
        const id = await wall.person(`raid_${n}`);
        await wall.db.tx(({ db }) =>
          db
            .updateTable('users')
            .set({ invited_by: Number(anna.id) })
            .where('id', '=', id)
            .execute(),
        );
      }
      const block = () =>
        moderator.send('POST', `/moderation/people/${anna.username}/branch/block`, {
          reason: 'набег',
          remove_posts: false,
        });
      assert.deepEqual(await outcome(block()), [403, 'CONFIRMATION_REQUIRED']);
      await confirm(wall, moderator);
      const first = await block();
      assert.deepEqual([first.statusCode, first.json()], [200, { blocked: 100, remaining: 3 }], first.body);
      assert.deepEqual((await block()).json(), { blocked: 3, remaining: 0 });
      assert.deepEqual((await block()).json(), { blocked: 0, remaining: 0 });
      const blocked = await wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null).execute();
      assert.equal(blocked.length, 103);
      for (const spared of [keeper, vera]) {
        assert.ok(!blocked.some(({ id }) => String(id) === spared.id), spared.username);
      }
      const { people, more } = await branchOf(moderator, anna);
      assert.deepEqual([people.length, more], [100, true]);
      const acts = await wall.db.read.selectFrom('operator_log').selectAll().where('action', '=', 'block').execute();
      assert.equal(acts.length, 103);
      const { id } = acts.find(({ target_id: target }) => String(target) === boris.id)!;
      const undone = await moderator.send('POST', `/moderation/journal/${id}/undo`, { reason: 'не он' });
      assert.equal(undone.statusCode, 200, undone.body);
      const left = await wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null).execute();
      assert.equal(left.length, 102);
      assert.deepEqual(
        await outcome(
          moderator.send('POST', `/moderation/people/${keeper.username}/branch/block`, {
            reason: 'спор',
            remove_posts: false,
          }),
        ),
        [403, 'FORBIDDEN'],
      );
    });

    test('somebody who has left stays in the tree without a name', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const moderator = await registerModeratorIn(wall);
      const anna = await settled(wall);
      const boris = await bring(wall, anna);
      const vera = await bring(wall, boris);
      await wall.db.tx(({ db }) =>
        db.updateTable('users').set({ created_at: wall.clock.now }).where('id', '=', Number(boris.id)).execute(),
      );
      wall.clock.now += 61;
      await deleteAccount(wall, boris);
      const { people } = await branchOf(moderator, anna);
      assert.deepEqual(
        people.map(({ username, level, by }) => [username, level, by]),
        [
          [null, 1, anna.username],
          [vera.username, 2, null],
        ],
      );
      assert.deepEqual((await branchOf(moderator, vera)).inviter, { username: null, display_name: null });
    });
  });
}
