import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './keep.schema.ts';

/** Owners see this of their wall. */
export type Keep = Static<typeof schema.keep>;
export type Readers = Keep['settings']['readers'];
export type KeptText = Static<typeof schema.keptText>;
export type MailFinding = Static<typeof schema.mailFinding>;

export const getKeep = endpoint<typeof schema.getKeep>('GET /keep', 'owner');
export const putKeepSettings = endpoint<typeof schema.putKeepSettings>('PUT /keep/settings', 'owner');

/** A text of the wall has up to four bytes for each of its characters, and escapes. */
const textBytes = 256 * 1_024;

export const putKeepText = endpoint<typeof schema.putKeepText>('PUT /keep/texts/{name}', 'owner', {
  bodyBytes: textBytes,
});

export const previewKeepText = endpoint<typeof schema.previewKeepText>('POST /keep/texts/{name}/preview', 'owner', {
  bodyBytes: textBytes,
});

/** Sends a test letter to the calling owner and looks up the DNS records for mail. */
export const checkMail = endpoint<typeof schema.checkMail>('POST /keep/mail', 'owner');
