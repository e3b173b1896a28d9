import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 20;
const timeoutMs = 30_000;

/** Reads the mails that the server writes to its data folder. */
export class Mailbox {
  #folder: string;
  #read = new Set<string>();

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'mail');
  }

  /** Waits for the next mail with a code to an address. */
  async codeTo(address: string): Promise<string> {
    for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await pause(pollMs)) {
      const names = await readdir(this.#folder).catch(() => []);
      for (const name of names.filter((one) => !this.#read.has(one)).toSorted()) {
        const source = await readFile(join(this.#folder, name), 'utf8');
        if (!source.includes(`To: ${address}\n`)) continue;
        const code = codeIn(source);
        if (code === undefined) continue;
        this.#read.add(name);
        return code;
      }
    }
    throw new Error(`No mail with a code arrived for ${address}`);
  }
}

/** The last line of a letter with a code: `@host #123456`. */
function codeIn(source: string): string | undefined {
  const parts = source.split(/\n\n/).map((part) => Buffer.from(part, 'base64').toString('utf8'));
  return [source, ...parts].map((text) => /@\S+ #(\d{6})\b/.exec(text)?.[1]).find((code) => code !== undefined);
}

export const device = { userAgent: 'Opera', userAgentVersion: '117.0', os: 'Haiku' };

/** JSON without a type: the specification describes its fields, and the checks of the journeys read them. */
type Json = ReturnType<typeof JSON.parse>;

interface Answer {
  status: number;
  headers: Headers;
  /** Undefined without a body. */
  body: Json;
}

let programs = 0;

/** Sends the specification’s calls to a wall. It keeps its cookies and its access token. */
export class Program {
  clientToken = `program ${(programs += 1)}`;
  cookies = new Map<string, string>();
  token: string | undefined;
  email = '';
  #url: string;
  #mailbox: Mailbox;

  constructor(url: string, mailbox: Mailbox) {
    this.#url = url;
    this.#mailbox = mailbox;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Sends a call that must succeed; resolves to its body. */
  async call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.send(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  start(purpose: 'logins' | 'registrations', email: string): Promise<Answer> {
    return this.send('POST', `/${purpose}`, { email, clientToken: this.clientToken, device });
  }

  async verify(purpose: 'logins' | 'registrations', id: string, confirmCode: string): Promise<Answer> {
    const answer = await this.send('POST', `/${purpose}/${id}/verify`, { confirmCode, clientToken: this.clientToken });
    this.token = answer.body.accessToken?.token ?? this.token;
    return answer;
  }

  /** Signs in or registers with a mailed code. */
  async enter(purpose: 'logins' | 'registrations', email: string): Promise<Answer> {
    const started = await this.start(purpose, email);
    assert.equal(started.status, 201, JSON.stringify(started.body));
    this.email = email;
    return this.verify(purpose, started.body.id, await this.#mailbox.codeTo(email));
  }

  /** Publishes a post; resolves to it. */
  post = (text: string): Promise<Json> => this.call('POST', '/posts', { text });
  reply = (id: string, text: string): Promise<Json> => this.call('POST', `/posts/${id}/replies`, { text });
}

/** A code that differs from this one. */
export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
