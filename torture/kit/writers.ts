import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, ask } from '../../test/ask.ts';
import type { Person } from './people.ts';
import { tally } from './tally.ts';

const pauseMs = 20;
const patienceMs = 20_000;
const answeredWithinMs = 15_000;

/**
 * People who publish without a pause. Like the web app, each sends a text again under its key until it is acknowledged,
 * so every text must be on the wall exactly once in the end, whatever happened in between.
 */
export class Writers {
  /** Text by id. */
  readonly acknowledged = new Map<string, string>();
  /** How often each answer came. */
  readonly answers = new Map<Answered, number>();
  /** Told of every answer as it comes. */
  onAnswer: ((answered: Answered, tookMs: number) => void) | undefined;
  /** Requests that nothing was answered to yet. */
  inFlight = 0;
  #awaiting = new Set<(answered: Answered) => void>();
  #address: string;
  #agent: http.Agent;
  #stopping = false;
  #abandoned = false;
  #all: Promise<unknown>;

  /** `address` is a server's or a proxy's; it may go away and come back. */
  constructor(address: string, people: readonly Person[]) {
    this.#address = address;
    const { Agent } = address.startsWith('https:') ? https : http;
    this.#agent = new Agent({ keepAlive: true });
    this.#all = Promise.all(people.map((person) => this.#publish(person)));
    // Whoever stops them is told.
    this.#all.catch(() => {});
  }

  /** Resolves when somebody next gets such an answer. */
  next(wanted: Answered): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`No answer was ${wanted}, but ${tally(this.answers)}`)),
        answeredWithinMs,
      );
      const look = (answered: Answered): void => {
        if (answered !== wanted) return;
        clearTimeout(late);
        this.#awaiting.delete(look);
        resolve();
      };
      this.#awaiting.add(look);
    });
  }

  /** Resolves when everybody's last text was acknowledged. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#all;
    this.#agent.destroy();
  }

  /** They give up at once: the trial has failed, and nobody looks for what they wrote. */
  abandon(): void {
    this.#stopping = true;
    this.#abandoned = true;
    this.#agent.destroy();
  }

  async #publish({ username, token }: Person): Promise<void> {
    for (let i = 0; !this.#stopping; i += 1) await this.#untilAcknowledged(token, `${username} пишет ${i}`);
  }

  async #untilAcknowledged(token: string, text: string): Promise<void> {
    const key = randomUUID();
    for (const deadline = performance.now() + patienceMs; ; await sleep(pauseMs)) {
      const began = performance.now();
      this.inFlight += 1;
      const { answered, id } = await this.#send(token, key, text);
      this.inFlight -= 1;
      this.answers.set(answered, (this.answers.get(answered) ?? 0) + 1);
      this.onAnswer?.(answered, performance.now() - began);
      for (const look of this.#awaiting) look(answered);
      if (id !== undefined) {
        this.acknowledged.set(id, text);
        return;
      }
      if (this.#abandoned || performance.now() > deadline)
        throw new Error(`“${text}” was not taken; last: ${answered}`);
    }
  }

  async #send(token: string, key: string, text: string): Promise<{ answered: Answered; id?: string }> {
    const body = JSON.stringify({ text });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': key,
    };
    const options = { agent: this.#agent, method: 'POST', headers };
    const { answered, body: json } = await ask(`${this.#address}/api/v1/posts`, options, body);
    return { answered, ...(answered === 201 && { id: (JSON.parse(json) as { id: string }).id }) };
  }
}
