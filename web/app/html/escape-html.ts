const special = /["'&<>]/;
const escapes: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#x27;', '<': '&lt;', '>': '&gt;' };

/** For the text of an element and for an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  special.test(text) ? text.replace(/["'&<>]/g, (character) => escapes[character]!) : text;
