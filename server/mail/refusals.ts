/** The properties that errors of the transport have. */
export interface SmtpError extends Error {
  responseCode?: number;
  code?: string;
  /** The code of the system error behind `code`. */
  originalCode?: string;
  command?: string;
  /** The response of the mail server. */
  response?: string;
}

/** The words of the mail server, or of the system if there was no answer. */
export const wordsOf = ({ response, message }: SmtpError): string => response ?? message;

/** A refusal for the sake of one recipient: a mailbox that gets too much, is full or unknown, or greylisting. */
const aboutRecipient = /\b[45]\.(2\.[12]|1\.[1236])\b|recipient has|trying to (reach|contact)|gr[ea]ylist/i;
/** Names of block lists contain the word spam, too. */
const aboutSending =
  /spam(?!haus|cop)|unsolicited|throttl|ratelimit|\brate\b|too (many|much) (messages|letters|e?mails?|recipients|login)|спам|слишком много/i;
const aboutLimit = /limit|quota|you('ve| have) (reached|exceeded)|лимит|квот/i;
const aboutSpace = /size|storage|disk|over ?quota|connection|thread|mailbox.{0,20}(full|quota|limit)|ящик/i;

/**
 * Whether the mail server refuses to send for the wall because of the number of letters or because it takes them for spam. Providers
 * use codes from 421 to 554 at any command for that, so only the words tell.
 */
export function speaksOfLimits(error: SmtpError): boolean {
  if ((error.responseCode ?? 0) < 400) return false;
  const words = wordsOf(error);
  if (aboutRecipient.test(words)) return false;
  return aboutSending.test(words) || (aboutLimit.test(words) && !aboutSpace.test(words));
}

/** Why letters are not sent. */
export type Reason = 'away' | 'name' | 'tls' | 'login' | 'sender' | 'limit' | 'later' | 'other';

export function reasonOf(error: SmtpError): Reason {
  const { code = '', originalCode = code, responseCode = 0, command } = error;
  if (speaksOfLimits(error)) return 'limit';
  if (responseCode >= 400 && responseCode < 500) return 'later';
  // 530: the server takes mail only after a login.
  if (code === 'EAUTH' || responseCode === 530) return 'login';
  if (command === 'MAIL FROM') return 'sender';
  if (code === 'EDNS' || originalCode === 'ENOTFOUND') return 'name';
  if (code === 'ETLS' || /CERT|SIGN|SSL|TLS/.test(originalCode)) return 'tls';
  return ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT'].includes(code) ? 'away' : 'other';
}

/** Masks a response of a mail server, which may repeat addresses, codes and links that sign in. */
export const withoutSecrets = (response: string, publicUrl: string): string =>
  response
    .slice(0, 300)
    .split(' ')
    .map((word) => (word.includes('@') || word.includes(publicUrl) ? '…' : word.replaceAll(/\d{6,}/g, '…')))
    .join(' ');

/**
 * Whether a refusal is about this mail. A refusal of the login, the sender or the connection can be mended by the operator, and one
 * that speaks of limits is about the mailbox of the wall.
 */
export const isAboutThisMail = (error: SmtpError): boolean =>
  (error.command === 'RCPT TO' || error.command === 'DATA') && !speaksOfLimits(error);

/** Whether the mail can never be sent. */
export const isFinal = (error: SmtpError): boolean => (error.responseCode ?? 0) >= 500 && isAboutThisMail(error);
