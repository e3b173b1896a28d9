import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Tx } from '../db/database.ts';
import { logFailure } from '../db/write-outage.ts';
import type { Secrets } from '../secrets.ts';
import { codeMail, type CodeMail, type Notice, noticeMail } from './notices.ts';
import type { Letter, Wall } from './letter.ts';
import { countLetters, recordMail } from './mail-state.ts';
import { type DueMail, lockDueMails, recordOutcome } from './outbox.ts';
import { isFinal, type SmtpError, speaksOfLimits, withoutSecrets } from './refusals.ts';
import { maxConnections, type Transport } from './transport.ts';

/** Number of mails by outcome; `abandoned` counts those that became useless before they could be sent. */
type MailTally = Record<'accepted' | 'delayed' | 'refused' | 'abandoned', number>;

export interface MailSender {
  /** Since the process started. */
  readonly tally: Readonly<MailTally>;
  /** Polls the outbox now, because a mail has been queued. */
  wake(): void;
  close(): Promise<void>;
}

/** A letter that a person has subscribed to. Its text is written only when it is sent. */
export type SubscribedMail =
  | { kind: 'digest' | 'best' | 'wall' | 'file'; userId: number }
  | { kind: 'answers'; userId: number; rootId: number; after: number };

const isSubscribed = (content: Content): content is SubscribedMail => 'userId' in content;

type Content = CodeMail | Notice | SubscribedMail;

interface Addressed {
  recipient: string;
  letter: Letter;
  /** Called in the transaction that records that the letter needs no other try. */
  settled?: (tx: Tx) => Promise<void>;
}

export interface SenderOptions {
  db: Database;
  secrets: Secrets;
  transport: Transport;
  /** The number of letters in 24 hours; undefined: any number. */
  lettersPerDay?: number | undefined;
  wall: Wall;
  /** Write the letters that people subscribe to; undefined if there is nothing left to tell. */
  letters: {
    answers: (mail: Extract<SubscribedMail, { kind: 'answers' }>) => Promise<Addressed | undefined>;
  } & Record<Exclude<SubscribedMail['kind'], 'answers'>, (mail: { userId: number }) => Promise<Addressed | undefined>>;
  log: FastifyBaseLogger;
  /** Unix seconds. */
  now: () => number;
}

const pollIntervalMs = 1_000;
/** All locked mails are sent at once, so none of them loses its lock while it waits for a connection. */
const batchSize = maxConnections;
/** Longer than a slow mail server needs for a mail: after this time another process sends the same mail again. */
const leaseSeconds = 15;
/** The same for a letter with a file. */
const attachedLeaseSeconds = 120;
/** Pauses before the first retries; the last one is repeated. Mail servers that greylist or limit connections punish more frequent tries. */
const retrySeconds = [5, 15, 60];
const longestPause = retrySeconds.at(-1)!;
/** A mail with a later due time is due now, because the time was set by a clock that was ahead. */
const dueWithinSeconds = 2 * Math.max(attachedLeaseSeconds, longestPause);

/** Sends the mails in the outbox, including those queued by other processes, and retries until `give_up_at`. */
export function startSender(options: SenderOptions): MailSender {
  const { db, secrets, transport, lettersPerDay, wall, letters, log, now } = options;
  const tally: MailTally = { accepted: 0, delayed: 0, refused: 0, abandoned: 0 };
  let wakeUp = (): void => {};
  const closing = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wakeUp = resolve));
      try {
        const at = now();
        const bounds = transport.isFolder ? undefined : { lettersPerDay, now: at };
        const mails = await lockDueMails(db, { now: at, leaseSeconds, dueWithinSeconds, atMost: batchSize, bounds });
        await Promise.all(mails.map(send));
        if (mails.length === batchSize) continue;
      } catch (error) {
        logFailure(options, { err: error }, 'the outbox is unreachable');
      }
      await Promise.race([woken, pause(pollIntervalMs, undefined, { ref: false })]);
    }
  }

  async function send(due: DueMail): Promise<void> {
    const { id, recipient, sealed, attempts, give_up_at: giveUpAt } = due;
    // The mail may have expired while no process was running.
    if (giveUpAt <= now()) return finish(due, 'abandoned', null);
    const content = unsealed(sealed);
    if (!content) {
      log.error(
        { mail: id },
        'mail cannot be decrypted and is not sent: SECRET was changed without setting SECRET_PREVIOUS',
      );
      return finish(due, 'refused', null);
    }
    const mail = await written(content, recipient);
    if (!mail) return finish(due, 'abandoned', null);
    // Until then no other process takes the letter for one that nobody sends.
    if (mail.letter.attached) {
      const nextTryAt = now() + attachedLeaseSeconds;
      await db.tx((tx) => recordOutcome(tx, due, { state: 'delayed', nextTryAt }));
    }
    try {
      await transport.send(
        mail.recipient,
        { ...mail.letter, line: wall.line },
        hash('sha256', sealed, 'hex').slice(0, 32),
      );
    } catch (thrown) {
      const error = thrown as SmtpError;
      const { responseCode = 0, code, command = '', response } = error;
      // The error itself is not logged because it may contain the address.
      const answer = response && withoutSecrets(response, wall.publicUrl);
      log.warn({ mail: id, attempts, responseCode, code, command, answer }, 'mail not accepted');
      const next = now() + (retrySeconds[attempts - 1] ?? longestPause);
      // A post in it may be taken for spam, and each try would hold the mail of the wall. The next letter tells of the same.
      const isHolding = speaksOfLimits(error) && isSubscribed(content);
      const outcome = isFinal(error) ? 'refused' : next < giveUpAt && !isHolding ? 'delayed' : 'abandoned';
      return finish(due, outcome, outcome === 'delayed' ? next : null, { ...mail, error });
    }
    const isForOwners = content.kind === 'code' ? content.isForOwners : undefined;
    await finish(due, 'accepted', null, { ...mail, isForOwners });
  }

  async function written(content: Content, recipient: string): Promise<Addressed | undefined> {
    if (isSubscribed(content))
      return content.kind === 'answers' ? letters.answers(content) : letters[content.kind](content);
    return { recipient, letter: content.kind === 'code' ? codeMail(content, wall) : noticeMail(content, wall) };
  }

  function unsealed(sealed: string): Content | undefined {
    try {
      return JSON.parse(secrets.unseal(sealed)) as Content;
    } catch {
      return undefined;
    }
  }

  /** `tried`: the mail server was asked. */
  async function finish(
    due: DueMail,
    outcome: keyof MailTally,
    nextTryAt: number | null,
    tried?: Pick<Addressed, 'settled'> & { error?: SmtpError; isForOwners?: true | undefined },
  ): Promise<void> {
    const heldUntil = await db.tx(async (tx) => {
      // The count comes first, as it does when a mail is locked: another order could end in a deadlock.
      if (due.countedAt !== null && outcome !== 'accepted')
        await countLetters(tx, -1, due.countedAt, tried ? undefined : 0);
      const state = outcome === 'abandoned' ? 'delayed' : outcome;
      await recordOutcome(tx, due, { state, nextTryAt, isForOwners: tried?.isForOwners });
      if (outcome === 'accepted' || outcome === 'refused') await tried?.settled?.(tx);
      if (!tried || transport.isFolder) return undefined;
      return recordMail(tx, { error: tried.error, publicUrl: wall.publicUrl, now: now() });
    });
    if (heldUntil !== undefined)
      log.error(
        { mail: due.id, until: new Date(heldUntil * 1_000).toISOString() },
        'the mail server speaks of limits or spam: until then only one code in ten minutes is sent',
      );
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
