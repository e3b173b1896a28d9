import { limits } from './limits.ts';

/**
 * What a form asks of an address, as specified: no white space, an at-sign, and a dot with something before it and two signs after it.
 * Null if that is so. The server asks for more.
 */
export function emailProblem(text: string): string | null {
  const typed = text.trim();
  if (typed === '') return 'Введите email';
  const at = typed.indexOf('@', 1);
  const dot = typed.lastIndexOf('.', typed.length - 3);
  return at > 0 && dot > at + 1 && !/\s/.test(typed) ? null : 'Введите корректный email';
}

/** Letters of any alphabet may stand before the at-sign (RFC 6531). */
const localPart =
  /^(?:[!#$&'*+\-./0-9=?^_`a-z{|}~]|(?![\p{ASCII}\p{Default_Ignorable_Code_Point}])[\p{L}\p{M}\p{N}\p{S}]){1,64}$/u;
/** Checked before the conversion to punycode. Excludes characters with a meaning in URLs, such as `/`, `:` and `%`. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const topLabel = /^(?=.*[a-z])[a-z0-9-]{2,63}$/;

/**
 * The form in which an address is stored and compared: trimmed, composed, in lower case, with the domain in punycode. Undefined
 * for an invalid address. Each step takes linear time; a single regular expression takes seconds on 4,000 at-signs.
 */
export function normalizeEmail(raw: string): string | undefined {
  const trimmed = raw.trim();
  if (trimmed.length > limits.emailLength) return undefined;
  const at = trimmed.indexOf('@');
  if (at < 1) return undefined;
  const local = trimmed.slice(0, at).normalize('NFC').toLowerCase().normalize('NFC');
  const domain = toAscii(trimmed.slice(at + 1));
  if (!localPart.test(local) || domain === undefined) return undefined;
  const email = `${local}@${domain}`;
  return new TextEncoder().encode(email).length > limits.emailLength ? undefined : email;
}

/** A domain as `normalizeEmail` writes it, also one of a single label; undefined for an invalid one. */
export const normalizeDomain = (domain: string): string | undefined => toAscii(`x.${domain}`)?.slice('x.'.length);

function toAscii(domain: string): string | undefined {
  if (!domainCharacters.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  const { hostname } = new URL(`http://${domain}`);
  const labels = hostname.split('.');
  const fits = labels.length >= 2 && labels.every((part) => label.test(part)) && topLabel.test(labels.at(-1)!);
  return fits ? hostname : undefined;
}
