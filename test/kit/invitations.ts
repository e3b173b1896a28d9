import assert from 'node:assert/strict';
import type { Invitations } from '#contract/invitations.ts';
import type { Branch } from '#contract/moderation-people.ts';
import { setRegistrationMode } from '../../server/features/moderation/invites.ts';
import type { RegistrationMode } from '../../server/features/wall-texts/wall-settings.ts';
import { registerModerator } from './desk.ts';
import { type Member, register } from './member.ts';
import { device, newAddress, openBrowser } from './sign-in.ts';
import type { Wall } from './wall.ts';

export const day = 24 * 3_600;

export const letIn = ({ db }: Wall, mode: RegistrationMode): Promise<void> =>
  db.tx((tx) => setRegistrationMode(tx, mode));

/** Makes somebody an old hand: so many days on the wall, with so many posts. */
export const settle = ({ db, clock }: Wall, { id }: Pick<Member, 'id'>, days = 14, posts = 5): Promise<unknown> =>
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

export const registerModeratorIn = (wall: Wall): Promise<Member> => whileOpen(wall, (one) => registerModerator(one));

export async function settled(wall: Wall): Promise<Member> {
  const member = await whileOpen(wall, (one) => register(one));
  await settle(wall, member);
  return member;
}

export const own = async (member: Member): Promise<Invitations> =>
  (await member.send('GET', '/users/current/invitations')).json();
export const make = (member: Member) => member.send('POST', '/users/current/invitations');

export async function codeOf(member: Member): Promise<string> {
  const made = await make(member);
  assert.equal(made.statusCode, 201, made.body);
  return made.json().invitations[0].code;
}

/** Registers with an invitation. */
export async function come(wall: Wall, code: string): Promise<Member> {
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
export async function bring(wall: Wall, inviter: Member): Promise<Member> {
  const member = await come(wall, await codeOf(inviter));
  await settle(wall, member);
  return member;
}

export const admits = async (wall: Wall, code: string): Promise<boolean> => {
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

export const branchOf = async (moderator: Member, { username }: Pick<Member, 'username'>): Promise<Branch> =>
  (await moderator.send('GET', `/moderation/people/${username}/branch`)).json();
