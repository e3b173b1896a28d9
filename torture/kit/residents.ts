import { setTimeout as sleep } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import type { Answered } from '../../test/ask.ts';
import type { Member } from '../../test/member.ts';
import { sendAsApp } from './send-as-app.ts';

const pauseMs = 50;
const publishEvery = 40;

/** People who live on the wall: they read, like and now and then publish, within their limits or a little over. */
export class Residents {
  readonly answers = new Map<Answered, number>();
  /** Text by id. */
  readonly acknowledged = new Map<string, string>();
  #stopping = false;
  #all: Promise<unknown>;

  constructor(members: readonly Member[]) {
    this.#all = Promise.all(members.map((member) => this.#live(member)));
    // Whoever stops them is told.
    this.#all.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#all;
  }

  async #live(member: Member): Promise<void> {
    for (let i = 0; !this.#stopping; i += 1) {
      await this.#send(member, 'GET', '/posts?limit=20');
      await this.#send(member, i % 2 === 0 ? 'POST' : 'DELETE', '/posts/1/likes');
      if (i % publishEvery === 0) await this.#publish(member, `${member.username} живёт здесь ${i}`);
      await sleep(pauseMs);
    }
  }

  async #publish(member: Member, text: string): Promise<void> {
    const response = await this.#send(member, 'POST', '/posts', { text });
    if (response.statusCode === 201) this.acknowledged.set(response.json().id, text);
  }

  async #send(member: Member, ...request: Parameters<Member['send']>): Promise<LightMyRequestResponse> {
    const response = await sendAsApp(member, ...request);
    this.answers.set(response.statusCode, (this.answers.get(response.statusCode) ?? 0) + 1);
    return response;
  }
}
