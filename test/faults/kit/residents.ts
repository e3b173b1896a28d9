import type { LightMyRequestResponse } from 'fastify';
import type { Member } from '../../kit/member.ts';
import { Loops } from './loops.ts';
import { Responses } from './responses.ts';

const pauseMs = 50;
const publishEvery = 40;

/** People who read, like and sometimes publish, at about the rate that the limits allow. */
export class Residents {
  readonly responses = new Responses();
  /** Acknowledged texts by id. */
  readonly acknowledged = new Map<string, string>();
  #loops: Loops;

  constructor(members: readonly Member[]) {
    this.#loops = new Loops(
      members.map((member) => {
        let i = 0;
        return () => this.#act(member, i++);
      }),
      pauseMs,
    );
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  async #act(member: Member, i: number): Promise<void> {
    await this.#send(member, 'GET', '/posts?limit=20');
    await this.#send(member, i % 2 === 0 ? 'POST' : 'DELETE', '/posts/1/likes');
    if (i % publishEvery === 0) await this.#publish(member, `${member.username} живёт здесь ${i}`);
  }

  async #publish(member: Member, text: string): Promise<void> {
    const response = await this.#send(member, 'POST', '/posts', { text });
    if (response.statusCode === 201) this.acknowledged.set(response.json().id, text);
  }

  async #send(member: Member, ...request: Parameters<Member['send']>): Promise<LightMyRequestResponse> {
    const response = await sendAsApp(member, ...request);
    this.responses.add(response.statusCode);
    return response;
  }
}

/** Sends as the web app does: after a 401 it renews the token and sends the request once more. */
export async function sendAsApp(
  member: Member,
  ...request: Parameters<Member['send']>
): Promise<LightMyRequestResponse> {
  const response = await member.send(...request);
  return response.statusCode === 401 && (await renew(member)) === 200 ? member.send(...request) : response;
}

/** Resolves to the status. */
export async function renew(member: Member): Promise<number> {
  const response = await member.send('PATCH', '/sessions/current', { clientToken: member.clientToken });
  if (response.statusCode === 200) member.token = response.json().accessToken.token;
  return response.statusCode;
}
