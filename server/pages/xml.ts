import { escapeHtml } from '#contract/text-parts.ts';

/** Characters that XML 1.0 does not allow, not even escaped. */
const notAllowed = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for an element or a double-quoted attribute. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replace(notAllowed, '\ufffd'));
}

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';

/** Unix seconds in the format of RFC 3339. */
export const xmlTime = (at: number): string => new Date(at * 1_000).toISOString();
