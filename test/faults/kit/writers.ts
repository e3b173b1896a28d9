import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../measurements/people.ts';
import { type Outcome, ask } from '../../kit/ask.ts';
import { hangsAfterMs } from '../fault.ts';
import { Loops } from './loops.ts';
import { Responses } from './responses.ts';

const pauseMs = 20;

/**
 * People who publish without a pause. Like the web app, each sends a text again with its idempotency key until it is
 * acknowledged, so that every text must be on the wall exactly once in the end.
 */
export class Writers {
  /** Acknowledged texts by id. */
  readonly acknowledged = new Map<string, string>();
  readonly responses = new Responses();
  /** Called with each response. */
  onResponse: ((outcome: Outcome, tookMs: number) => void) | undefined;
  /** Called with the id of each acknowledged text. */
  onAcknowledged: ((id: string) => void) | undefined;
  /** Number of requests without a response yet. */
  inFlight = 0;
  #waiting = new Set<(outcome: Outcome) => void>();
  #address: string;
  #agent: http.Agent;
  #abandoned = false;
  #loops: Loops;

  /** `address` belongs to a server or a proxy, which may go away and come back. */
  constructor(address: string, people: readonly Person[]) {
    this.#address = address;
    const { Agent } = address.startsWith('https:') ? https : http;
    this.#agent = new Agent({ keepAlive: true });
    this.#loops = new Loops(
      people.map((person) => {
        let i = 0;
        return () => this.#publish(person.token, `${person.username} пишет ${i++}`);
      }),
      0,
    );
  }

  /** Resolves at the next response with this outcome. */
  next(wanted: Outcome): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`No response was ${wanted}; responses: ${this.responses.toString()}`)),
        hangsAfterMs,
      );
      const check = (outcome: Outcome): void => {
        if (outcome !== wanted) return;
        clearTimeout(late);
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
    });
  }

  /** Resolves when this many texts are acknowledged. */
  async reached(atLeast: number): Promise<void> {
    while (this.acknowledged.size < atLeast) await this.next(201);
  }

  /** Rejects when somebody has given up. */
  get failure(): Promise<never> {
    return this.#loops.failure;
  }

  /** Resolves when the last text of everybody is acknowledged. */
  async stop(): Promise<void> {
    await this.#loops.stop();
    this.#agent.destroy();
  }

  /** Gives up at once, for a case that has failed already. */
  abandon(): void {
    this.#loops.abandon();
    this.#abandoned = true;
    this.#agent.destroy();
  }

  async #publish(token: string, text: string): Promise<void> {
    const key = randomUUID();
    for (const deadline = performance.now() + hangsAfterMs; ; await sleep(pauseMs)) {
      const began = performance.now();
      this.inFlight += 1;
      const { outcome, id } = await this.#send(token, key, text);
      this.inFlight -= 1;
      this.responses.add(outcome);
      this.onResponse?.(outcome, performance.now() - began);
      for (const check of this.#waiting) check(outcome);
      if (id !== undefined) {
        this.acknowledged.set(id, text);
        this.onAcknowledged?.(id);
        return;
      }
      if (this.#abandoned || performance.now() > deadline)
        throw new Error(`“${text}” was not acknowledged; last response: ${outcome}`);
    }
  }

  async #send(token: string, key: string, text: string): Promise<{ outcome: Outcome; id?: string }> {
    const body = JSON.stringify({ text });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': key,
    };
    const options = { agent: this.#agent, method: 'POST', headers };
    const { outcome, body: json } = await ask(`${this.#address}/api/v1/posts`, options, body);
    return { outcome, ...(outcome === 201 && { id: (JSON.parse(json) as { id: string }).id }) };
  }
}
