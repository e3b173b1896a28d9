import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import type { Post } from '#contract/posts.ts';
import { type Browser, type AppWithMail, newAddress, openBrowser } from './sign-in.ts';
import type { Wall } from './wall.ts';
import type { NotificationPage } from '#contract/notifications.ts';

/** A person with an account, in the browser in which they registered. */
export interface Member extends Browser {
  id: string;
  username: string;
  email: string;
}

export async function register(wall: AppWithMail, email = newAddress()): Promise<Member> {
  return enter(wall, 'registrations', email);
}

/** Signs a person in in another browser, after the pause between codes. */
export async function signInElsewhere(
  wall: AppWithMail & Pick<Wall, 'clock'>,
  { email }: Pick<Member, 'email'>,
): Promise<Member> {
  wall.clock.now += 61;
  return enter(wall, 'logins', email);
}

async function enter(wall: AppWithMail, purpose: 'registrations' | 'logins', email: string): Promise<Member> {
  const browser = openBrowser(wall);
  const entered = await browser.enter(purpose, email);
  assert.equal(entered.statusCode, 200, entered.body);
  return Object.assign(browser, (await browser.send('GET', '/users/current')).json());
}

/** The status of a response, with the error code of a refusal. */
export async function outcome(sending: Promise<LightMyRequestResponse>): Promise<[number, string?]> {
  const response = await sending;
  return response.statusCode < 400 ? [response.statusCode] : [response.statusCode, response.json().code];
}

/** Publishes a post. With the path of a post's replies, publishes a reply. */
export async function publish(by: Browser, text: string, path = '/posts'): Promise<Post> {
  const response = await by.send('POST', path, { text });
  assert.equal(response.statusCode, 201, response.body);
  return response.json();
}

/** Renews the access token, for tests that have moved the clock past the end of the old one. */
export async function renew(browser: Browser): Promise<void> {
  const response = await browser.send('PATCH', '/sessions/current', { clientToken: browser.clientToken });
  browser.token = response.json().accessToken.token;
}

/** Starts a change of address, which a mailed code confirms. */
export function startEmailChange(member: Browser, email: string): Promise<LightMyRequestResponse> {
  return member.send('PUT', '/users/current/email', { email, clientToken: member.clientToken });
}

export function verifyEmailChange(member: Browser, id: string, confirmCode: string): Promise<LightMyRequestResponse> {
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

/** Deletes an account: requests the deletion and confirms it with the mailed code. */
export async function deleteAccount(wall: Wall, member: Member): Promise<void> {
  const { id } = (await startDeletion(member)).json();
  const deleted = await verifyDeletion(member, id, await wall.mail.codeTo(member.email));
  assert.equal(deleted.statusCode, 204, deleted.body);
}

/** Publishes a reply and resolves to its id. */
export async function replyTo(by: Member, to: string, text = 'ответ'): Promise<string> {
  return (await publish(by, text, `/posts/${to}/replies`)).id;
}

export async function notificationsOf(person: Member, query = ''): Promise<NotificationPage> {
  return (await person.send('GET', `/users/current/notifications${query}`)).json();
}

/** The notifications of a person, newest first. */
export async function notifiedOf(person: Member): Promise<Array<[id: string, kind: string]>> {
  const { posts, kinds } = await notificationsOf(person, '?limit=50');
  return posts.map(({ id }, i) => [id, kinds[i]!]);
}

const wordPath = (word: string): string => `/users/current/words/${encodeURIComponent(word)}`;

export const putWord = (by: Member, word: string, kind: 'follow' | 'hide' = 'follow') =>
  outcome(by.send('PUT', wordPath(word), { kind }));

export const removeWord = (by: Member, word: string) => outcome(by.send('DELETE', wordPath(word)));
