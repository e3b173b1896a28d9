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

export const setMode = ({ db }: Wall, mode: RegistrationMode): Promise<void> =>
  db.tx((tx) => setRegistrationMode(tx, mode));

/** Makes a person one who may invite: registered `days` ago, with `posts` posts. */
export const allowInviting = (
  { db, clock }: Wall,
  { id }: Pick<Member, 'id'>,
  days = 14,
  posts = 5,
): Promise<unknown> =>
  db.tx((tx) =>
    tx.db
      .updateTable('users')
      .set({ created_at: clock.now - days * day, posts_count: posts })
      .where('id', '=', Number(id))
      .execute(),
  );

/** Runs `enter` while registration is open. Before and after that it needs an invitation. */
async function whileOpen(wall: Wall, enter: (wall: Wall) => Promise<Member>): Promise<Member> {
  await setMode(wall, 'open');
  const member = await enter(wall);
  await setMode(wall, 'members');
  return member;
}

export const registerModeratorIn = (wall: Wall): Promise<Member> => whileOpen(wall, (one) => registerModerator(one));

export async function newInviter(wall: Wall): Promise<Member> {
  const member = await whileOpen(wall, (one) => register(one));
  await allowInviting(wall, member);
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
export async function registerInvited(wall: Wall, code: string): Promise<Member> {
  const browser = openBrowser(wall);
  const email = newAddress();
  const body = { email, clientToken: browser.clientToken, device, invite: code };
  const started = await browser.send('POST', '/registrations', body);
  assert.equal(started.statusCode, 201, started.body);
  const entered = await browser.verify('registrations', started.json().id, await wall.mail.codeTo(email));
  assert.equal(entered.statusCode, 200, entered.body);
  return Object.assign(browser, (await browser.send('GET', '/users/current')).json());
}

/** Registers a person with an invitation of `inviter`. The person may then invite others. */
export async function registerInvitedBy(wall: Wall, inviter: Member): Promise<Member> {
  const member = await registerInvited(wall, await codeOf(inviter));
  await allowInviting(wall, member);
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
