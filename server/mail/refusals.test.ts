import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinal, reasonOf, type SmtpError, speaksOfLimits } from './refusals.ts';

const refusal = (response: string, command = 'DATA'): SmtpError =>
  Object.assign(new Error(response), { response, responseCode: Number(response.slice(0, 3)), command });

/** What mail servers have answered to senders whose mailbox was blocked or has sent too much. */
const ofTheWall = [
  '554 5.7.1 Message rejected under suspicion of SPAM; http://help.yandex.ru/mail/spam/sending-limits.xml',
  '554 5.7.1 [2] Message rejected under suspicion of SPAM; https://ya.cc/1IrBc 1591105070-ioOx63ynHU-bo2C7bnQ',
  '550 5.7.1 Message rate limit exceeded',
  '550 5.7.1 Limit of messages is reached',
  '454 4.7.0 Too many login attempts, please try again later',
  '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=abc',
  '451 Ratelimit exceeded for mailbox wall@example.org. Try again later.',
  '550 5.4.5 Daily user sending quota exceeded. o65sm25351206pga.71 - gsmtp',
  '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\n550 5.4.5 sending limits go to',
  '550 5.4.5 Daily SMTP relay limit exceeded for user',
  '421 4.7.0 Try again later, unusual rate of mail. r12-20020a - gsmtp',
  '421 4.7.0 Our system has detected an unusual rate of unsolicited mail originating from your IP address',
  '550 5.1.90 Your message cannot be sent because you have reached your daily limit for message recipients',
  '550 5.2.251 Sender throttled due to continuous mailbox full errors',
  '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message',
  '550 User wall@example.org has exceeded its 24-hour sending limit. Messages to 25 recipients out of 25',
  '454 Throttling failure: Daily message quota exceeded.',
  '552 Message would take you over your relay quota of 500 Current quota used: 487',
  '554 5.7.1 Recipient address rejected: You have exceeded your Outmail quota',
  '450 4.7.1 Error: too much mail from 203.0.113.25',
  '550 Превышен лимит отправки писем',
];

/** What they answer because of one recipient or letter, or to everybody for a short time. */
const ofOthers = [
  '550 5.1.1 user unknown',
  '550 5.1.1 The email account that you tried to reach does not exist, see https://example.org/antispam',
  '552 5.2.2 mailbox full',
  '552 mailbox over quota',
  '552 Requested mailbox exceeds quota',
  '452 4.2.2 The email account that you tried to reach is over quota',
  '552 5.2.2 Over quota',
  '550 Quota exceeded (mailbox for user is full)',
  '451 example.org prohibited. Disk quota exceeded',
  '450 4.2.1 The recipient has exceeded message rate limit. Try again later.',
  '450-4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
  '451 4.7.1 Greylisting in action, please come back later',
  '450 4.7.1 Greylisted as spam protection, try again in 5 minutes',
  '552 5.3.4 Message size exceeds fixed limit',
  '452 4.3.1 Insufficient system storage',
  '421 4.7.0 mail.example.org Error: too many connections from 203.0.113.25',
  '550 5.7.1 Service unavailable; client host blocked using zen.spamhaus.org',
  '550 5.7.1 Relaying denied',
  '535 5.7.8 Error: authentication failed: Invalid user or password!',
  '451 4.3.0 Temporary lookup failure',
  '550 refused',
];

test('a refusal that speaks of limits or spam is told from those because of one recipient', () => {
  for (const words of ofTheWall) {
    assert.ok(speaksOfLimits(refusal(words)), words);
    assert.equal(reasonOf(refusal(words, 'RCPT TO')), 'limit', words);
    assert.ok(!isFinal(refusal(words)), words);
  }
  for (const words of ofOthers) assert.ok(!speaksOfLimits(refusal(words)), words);
  assert.ok(isFinal(refusal('550 5.1.1 user unknown', 'RCPT TO')));
  assert.ok(!isFinal(refusal('550 5.7.1 Relaying denied', 'MAIL FROM')));
  // The system does not speak for the mail server.
  assert.ok(!speaksOfLimits(Object.assign(new Error('open files limit reached'), { code: 'ESOCKET' })));
});
