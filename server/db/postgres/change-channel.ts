import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { ChangeListener, Tag } from '../database.ts';
import { prepared } from '../prepared.ts';
import type { Schema } from '../schema.ts';

const channel = 'stena_changes';
/** PostgreSQL rejects notifications of 8,000 bytes or more. */
const payloadBytes = 7_500;
const reconnectMs = 500;
const pulseMs = 1_000;
const pulsePatienceMs = 2_000;

const notify = prepared<{ payload: string }, unknown>((db, slot) =>
  db.selectNoFrom(sql`pg_notify(${channel}, ${slot('payload')})`.as('notified')),
);

interface Message {
  from: string;
  tags: Tag[] | 'everything';
}

/** Receives the writes of other processes on the same PostgreSQL through LISTEN/NOTIFY. */
export class ChangeChannel {
  /** While false, writes may be missed. */
  listening = false;
  #url: string;
  #self: string;
  #tell: ChangeListener;
  #onError: (error: Error) => void;
  #client: pg.Client | undefined;
  #pulse: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, self: string, tell: ChangeListener, onError: (error: Error) => void) {
    this.#url = url;
    this.#self = self;
    this.#tell = tell;
    this.#onError = onError;
  }

  /** Notifies other processes of what a transaction changes. They receive it when the transaction commits. */
  async announce(db: Kysely<Schema>, tags: Tag[]): Promise<void> {
    const message: Message = { from: this.#self, tags };
    let payload = JSON.stringify(message);
    if (payload.length > payloadBytes) payload = JSON.stringify({ ...message, tags: 'everything' });
    await notify(db, { payload });
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: pulsePatienceMs,
      query_timeout: pulsePatienceMs,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the listening connection ended')));
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    if (client !== this.#client) return;
    // Earlier writes may have been missed.
    this.#tell('everything');
    this.listening = true;
    // A connection that broke without an error would leave this process with outdated caches.
    this.#pulse = setInterval(() => {
      client.query('select 1').catch((error: Error) => this.#lost(client, error));
    }, pulseMs).unref();
  }

  #receive(payload: string): void {
    const { from, tags } = JSON.parse(payload) as Message;
    if (from !== this.#self) this.#tell(tags);
  }

  #lost(client: pg.Client, error: Error): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    this.listening = false;
    clearInterval(this.#pulse);
    client.end().catch(() => {});
    if (this.#closed) return;
    this.#onError(error);
    this.#retry = setTimeout(() => void this.open(), reconnectMs);
    this.#retry.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#pulse);
    this.listening = false;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }
}
