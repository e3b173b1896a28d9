/** SQLSTATEs of a transaction that lost against another and may simply run again. */
const lost = new Set(['40001', '40P01']);

/** The server is shutting down, starting, full or gone. */
const unavailable = /^(08|53|57P|58)/;
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const shouldRepeat = (error: unknown): boolean => lost.has(codeOf(error) ?? '');

export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return unavailable.test(code) || networkCodes.has(code) || code === '57014';
  // node-postgres gives these two no code.
  return error instanceof Error && /timeout exceeded when trying to connect|Connection terminated/.test(error.message);
}
