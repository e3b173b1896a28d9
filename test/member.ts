import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import { type Browser, type FrontDoor, newAddress, openBrowser } from './door.ts';
import type { Wall } from './wall.ts';

/** Somebody with an account, in the browser they came with. */
export interface Member extends Browser {
  id: string;
  username: string;
  email: string;
}

export async function register(wall: FrontDoor, email = newAddress()): Promise<Member> {
  return enter(wall, 'registrations', email);
}

/** The same person in another browser; past the pause between codes. */
export async function enterAgain(
  wall: FrontDoor & Pick<Wall, 'clock'>,
  { email }: Pick<Member, 'email'>,
): Promise<Member> {
  wall.clock.now += 61;
  return enter(wall, 'logins', email);
}

async function enter(wall: FrontDoor, purpose: 'registrations' | 'logins', email: string): Promise<Member> {
  const browser = openBrowser(wall);
  const entered = await browser.enter(purpose, email);
  assert.equal(entered.statusCode, 200, entered.body);
  return Object.assign(browser, (await browser.send('GET', '/users/current')).json());
}

/** Status of an answer, and its code where it is a refusal. */
export async function outcome(sending: Promise<LightMyRequestResponse>): Promise<[number, string?]> {
  const response = await sending;
  return response.statusCode < 400 ? [response.statusCode] : [response.statusCode, response.json().code];
}

/** Begins a change that a mailed code confirms. */
export function startEmailChange(member: Member, email: string): Promise<LightMyRequestResponse> {
  return member.send('PUT', '/users/current/email', { email, clientToken: member.clientToken });
}

export function verifyEmailChange(member: Member, id: string, confirmCode: string): Promise<LightMyRequestResponse> {
  const { clientToken } = member;
  return member.send('PUT', `/users/current/email/${id}/verify`, { confirmCode, clientToken });
}

export function startDeletion(member: Member): Promise<LightMyRequestResponse> {
  return member.send('POST', '/users/current/deletion', { clientToken: member.clientToken });
}

export function verifyDeletion(member: Member, id: string, confirmCode: string): Promise<LightMyRequestResponse> {
  const { clientToken } = member;
  return member.send('POST', `/users/current/deletion/${id}/verify`, { confirmCode, clientToken });
}

/** From the first click to the end of the account. */
export async function deleteAccount(wall: Wall, member: Member): Promise<void> {
  const { id } = (await startDeletion(member)).json();
  const deleted = await verifyDeletion(member, id, await wall.mail.codeTo(member.email));
  assert.equal(deleted.statusCode, 204, deleted.body);
}
