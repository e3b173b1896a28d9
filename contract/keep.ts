import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './keep.schema.ts';

/** What owners see of their wall. */
export type Keep = Static<typeof schema.keep>;
export type Readers = Keep['settings']['readers'];
export type KeptText = Static<typeof schema.keptText>;
export type MailFinding = Static<typeof schema.mailFinding>;

export const getKeep = endpoint<typeof schema.getKeep>({
  method: 'GET',
  path: '/keep',
  access: 'owner',
});

export const putKeepSettings = endpoint<typeof schema.putKeepSettings>({
  method: 'PUT',
  path: '/keep/settings',
  access: 'owner',
});

/** A text of the wall has up to four bytes for each of its characters, and escapes. */
const textBytes = 256 * 1_024;

export const putKeepText = endpoint<typeof schema.putKeepText>({
  method: 'PUT',
  path: '/keep/texts/{name}',
  access: 'owner',
  bodyBytes: textBytes,
});

export const previewKeepText = endpoint<typeof schema.previewKeepText>({
  method: 'POST',
  path: '/keep/texts/{name}/preview',
  access: 'owner',
  bodyBytes: textBytes,
});

/** Sends a letter to the owner who asks for it, and looks up the DNS records for mail. */
export const checkMail = endpoint<typeof schema.checkMail>({
  method: 'POST',
  path: '/keep/mail',
  access: 'owner',
});
