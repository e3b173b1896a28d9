import { limits } from './limits.ts';

const localPart = /^[!#$&'*+\-./0-9=?^_`a-z{|}~]{1,64}$/;
/** Before an IDN becomes punycode: anything that could mean more than a name to whoever parses it is out. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const topLabel = /^(?=.*[a-z])[a-z0-9-]{2,63}$/;

/**
 * The form in which an address is kept and compared: trimmed, lower case, its domain in punycode. Undefined for what is
 * no address. Each step is linear: the obvious expression takes seconds on four thousand at-signs.
 */
export function normalizeEmail(raw: string): string | undefined {
  const trimmed = raw.trim();
  if (trimmed.length > limits.emailLength) return undefined;
  const at = trimmed.indexOf('@');
  if (at < 1) return undefined;
  const local = lowerAscii(trimmed.slice(0, at));
  const domain = toAscii(trimmed.slice(at + 1));
  if (!localPart.test(local) || domain === undefined) return undefined;
  const email = `${local}@${domain}`;
  return email.length > limits.emailLength ? undefined : email;
}

/** `toLowerCase` would make two addresses of letters beyond ASCII one. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function toAscii(domain: string): string | undefined {
  if (!domainCharacters.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  const { hostname } = new URL(`http://${domain}`);
  const labels = hostname.split('.');
  const fits = labels.length >= 2 && labels.every((part) => label.test(part)) && topLabel.test(labels.at(-1)!);
  return fits ? hostname : undefined;
}
