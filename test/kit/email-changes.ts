import assert from 'node:assert/strict';
import { type Member, startEmailChange, verifyEmailChange } from './member.ts';
import type { Wall } from './wall.ts';

/** Changes a person's address: requests the change and confirms it with the mailed code. */
export async function changeEmail(wall: Wall, member: Member, to: string): Promise<void> {
  const started = await startEmailChange(member, to);
  assert.equal(started.statusCode, 201, started.body);
  const verified = await verifyEmailChange(member, started.json().id, await wall.mail.codeTo(to));
  assert.equal(verified.statusCode, 200, verified.body);
}

/** The path of the undo page in the latest mail about a change. */
export async function linkTo(wall: Wall, email: string): Promise<string> {
  const { text } = await wall.mail.mailTo(email, (mail) => mail.text.includes('/undo-email?token='));
  const [, path] = /^http:\/\/localhost:3000(\/undo-email\?token=[\w-]{43})$/m.exec(text)!;
  return path!;
}

/** Submits the form of the page like a browser without scripts. Resolves to the outcome that the next page shows. */
export async function press(wall: Wall, link: string): Promise<string> {
  const { statusCode, headers, body } = await wall.app.inject({
    method: 'POST',
    url: link,
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });
  assert.equal(statusCode, 303, body);
  const { status } = await wall.get(headers.location!);
  assert.equal(status, 200);
  return headers.location!.replace('/undo-email/', '');
}

/** The address of an account, read from the database: a person who has lost the account has no session. */
export async function emailOf(wall: Wall, { id }: Member): Promise<string> {
  const query = wall.db.read.selectFrom('users').select('email').where('id', '=', Number(id));
  return (await query.executeTakeFirstOrThrow()).email;
}
