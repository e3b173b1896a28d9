const day = 24 * 3_600;
/** RFC 9116 wants less than a year. */
const validSeconds = 180 * day;

export const securityTxtPath = '/.well-known/security.txt';

/** Whom to tell of a vulnerability, RFC 9116. `contact` is `mailto:` or `https:`, `now` in unix seconds. */
export function securityTxt(contact: string, publicUrl: string, now: number): string {
  // The same all day long, so that its tag is.
  const expires = Math.floor(now / day) * day + validSeconds;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(expires * 1_000).toISOString()}`,
    'Preferred-Languages: ru, en',
    `Canonical: ${publicUrl}${securityTxtPath}`,
    '',
  ].join('\n');
}
