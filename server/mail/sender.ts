import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/database.ts';
import type { Secrets } from '../secrets.ts';
import { codeMail, type CodeMail } from './code-mail.ts';
import { type Notice, noticeMail } from './notices.ts';
import { type DueMail, settleMail, takeDueMails } from './outbox.ts';
import type { Transport } from './transport.ts';

/** What came of handing mails over; abandoned ones were delayed until they were of no use any more. */
export type MailTally = Record<'accepted' | 'delayed' | 'refused' | 'abandoned', number>;

export interface Sender {
  /** Since the process began. */
  readonly tally: Readonly<MailTally>;
  /** There is something to send. */
  wake(): void;
  close(): Promise<void>;
}

export interface SenderOptions {
  db: Database;
  secrets: Secrets;
  transport: Transport;
  appName: string;
  publicUrl: string;
  log: FastifyBaseLogger;
  /** Unix seconds. */
  now: () => number;
}

const lookEveryMs = 1_000;
const atOnce = 20;
/** Longer than any attempt lasts, as the transport's patience is shorter: nothing is sent twice. */
const leaseSeconds = 15;
const retrySeconds = [1, 2, 4];
const longestRetrySeconds = 5;

/** Sends what lies in the outbox, whichever process put it there, until it is accepted, refused or of no use any more. */
export function startSender({ db, secrets, transport, appName, publicUrl, log, now }: SenderOptions): Sender {
  const tally: MailTally = { accepted: 0, delayed: 0, refused: 0, abandoned: 0 };
  let wakeUp = (): void => {};
  const closing = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wakeUp = resolve));
      try {
        const mails = await takeDueMails(db, { now: now(), leaseSeconds, atMost: atOnce });
        await Promise.all(mails.map(send));
        if (mails.length === atOnce) continue;
      } catch (error) {
        log.warn({ err: error }, 'outbox out of reach');
      }
      await Promise.race([woken, pause(lookEveryMs, undefined, { ref: false })]);
    }
  }

  async function send({ id, recipient, sealed, attempts, give_up_at: giveUpAt }: DueMail): Promise<void> {
    // It may have waited while nothing ran that could send it.
    if (giveUpAt <= now()) return settle(id, 'abandoned', null);
    const content = unsealed(sealed);
    if (!content) {
      log.error({ mail: id }, 'mail cannot be unsealed, so it is refused: SECRET has changed without SECRET_PREVIOUS');
      return settle(id, 'refused', null);
    }
    const letter = content.kind === 'code' ? codeMail(content, appName) : noticeMail(content, { appName, publicUrl });
    try {
      await transport.send(recipient, letter);
      await settle(id, 'accepted', null);
    } catch (error) {
      const responseCode = (error as { responseCode?: number }).responseCode ?? 0;
      // Not the error itself: it may quote the address.
      log.warn({ mail: id, attempts, responseCode, code: (error as { code?: string }).code }, 'mail not accepted');
      const next = now() + (retrySeconds[attempts - 1] ?? longestRetrySeconds);
      const outcome = responseCode >= 500 ? 'refused' : next < giveUpAt ? 'delayed' : 'abandoned';
      await settle(id, outcome, outcome === 'delayed' ? next : null);
    }
  }

  function unsealed(sealed: string): CodeMail | Notice | undefined {
    try {
      return JSON.parse(secrets.unseal(sealed)) as CodeMail | Notice;
    } catch {
      return undefined;
    }
  }

  async function settle(id: number, outcome: keyof MailTally, nextTryAt: number | null): Promise<void> {
    await settleMail(db, id, outcome === 'abandoned' ? 'delayed' : outcome, nextTryAt);
    tally[outcome] += 1;
  }

  return {
    tally,
    wake: () => wakeUp(),
    async close() {
      closing.abort();
      wakeUp();
      await running;
      transport.close();
    },
  };
}
