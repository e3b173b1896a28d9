import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  /** The recipients of the envelope. */
  to: string[];
  /** The raw message. */
  source: string;
  /** The plain text part. */
  text: string;
}

/** `await using` closes it. */
export interface MailServer extends AsyncDisposable {
  url: string;
  received: ReceivedMail[];
  /** Rejects the senders and recipients for which the function returns an SMTP status. Logins are always refused. */
  refuse(reply: ((address: string) => number | undefined) | undefined): void;
  /** Replies to a received mail with the returned response, for example '554 5.7.1 spam', or takes it if there is none. */
  judge(verdict: ((mail: ReceivedMail) => string | undefined) | undefined): void;
  /** Replies to each mail when the returned promise is fulfilled. */
  replyAfter(wait: () => Promise<unknown>): void;
  /** Waits for the newest unread mail to an address, optionally of one kind. */
  mailTo(address: string, wanted?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  codeTo(address: string): Promise<string>;
  close(): Promise<void>;
}

const timeoutMs = 60_000;
const code = /\b\d{6}\b/;

/** A real SMTP server on the loopback interface that stores the mail it receives. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const read = new Set<ReceivedMail>();
  let refusal: ((address: string) => number | undefined) | undefined;
  let verdictOf: ((mail: ReceivedMail) => string | undefined) | undefined;
  let beforeReply: (() => Promise<unknown>) | undefined;

  const refused = (address: string): Error | undefined => {
    const responseCode = refusal?.(address);
    return responseCode === undefined ? undefined : Object.assign(new Error('refused'), { responseCode });
  };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('refused'), { responseCode: 535 })),
    onMailFrom: ({ address }, _session, done) => done(refused(address)),
    onRcptTo: ({ address }, _session, done) => done(refused(address)),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const source = Buffer.concat(chunks).toString('utf8');
        const to = session.envelope.rcptTo.map(({ address }) => asSent(address));
        const mail = { to, source, text: plainText(source) };
        const [, status, words] = /^(\d{3}) (.*)$/.exec(verdictOf?.(mail) ?? '') ?? [];
        if (!status) received.push(mail);
        await beforeReply?.();
        done(status ? Object.assign(new Error(words), { responseCode: Number(status) }) : null);
      });
    },
  });
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  server.server.unref();

  async function mailTo(address: string, wanted: (mail: ReceivedMail) => boolean = () => true): Promise<ReceivedMail> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const mail = received.findLast((other) => other.to.includes(address) && !read.has(other) && wanted(other));
      if (mail) {
        read.add(mail);
        return mail;
      }
      if (performance.now() > deadline) throw new Error(`No mail arrived for ${address}`);
      await pause(10);
    }
  }

  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refuse: (reply) => (refusal = reply),
    judge: (verdict) => (verdictOf = verdict),
    replyAfter: (wait) => (beforeReply = wait),
    mailTo,
    codeTo: async (address) => code.exec((await mailTo(address, ({ text }) => code.test(text))).text)![0],
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The first text/plain part, decoded. */
function plainText(source: string): string {
  const part = /content-type: text\/plain[^]*?\r\n\r\n([^]*?)(?:\r\n--|$)/i.exec(source)!;
  const [whole, body] = part;
  if (/content-transfer-encoding: base64/i.test(whole)) return Buffer.from(body!, 'base64').toString('utf8');
  if (!/content-transfer-encoding: quoted-printable/i.test(whole)) return body!;
  const bytes = body!
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The address as the client sent it. The server library returns domains in Unicode. */
function asSent(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}
