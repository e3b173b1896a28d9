/** What XML 1.0 cannot hold, not even escaped. */
const unsayable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it may stand in an element or between double quotes. */
export function escapeXml(text: string): string {
  return text.replace(unsayable, '\ufffd').replace(/[&<>"]/g, (character) => entities[character]!);
}

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';

/** A moment in unix seconds as RFC 3339 writes it. */
export const xmlTime = (at: number): string => new Date(at * 1_000).toISOString();
