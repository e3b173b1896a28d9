import type { Figure } from '../../measurements/report.ts';
import { device, newAddress, wrong } from '../../kit/sign-in.ts';
import type { MailServer } from '../../kit/smtp.ts';

const startsAnHour = 60;
const postsAMinute = 5;
const triesOfACode = 5;

interface Sending {
  token?: string;
  body?: object;
  forwardedFor?: string;
}

/** Shows whether the processes behind an address apply limits, codes and closed sessions like one process. */
export async function actsAsOneServer(what: string, address: string, mail: MailServer): Promise<Figure> {
  const clientToken = 'one client';
  let starts = 0;

  async function send(method: string, path: string, { token, body, forwardedFor }: Sending = {}): Promise<Response> {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? {} : (JSON.parse(text) as Response['json']) };
  }

  async function start(email = newAddress()): Promise<{ id: string; code: string }> {
    starts += 1;
    const { json } = await send('POST', '/registrations', { body: { email, clientToken, device } });
    return { id: json.id!, code: await mail.codeTo(email) };
  }

  const verify = (id: string, confirmCode: string): Promise<Response> =>
    send('POST', `/registrations/${id}/verify`, { body: { confirmCode, clientToken } });

  async function signIn(email?: string): Promise<string> {
    const { id, code } = await start(email);
    return (await verify(id, code)).json.accessToken!.token;
  }

  async function guesses(): Promise<number> {
    const { id, code } = await start();
    const responses = await many(30, () => verify(id, wrong(code)));
    const last = await verify(id, code);
    return last.json.code === 'MAX_CONFIRM_ATTEMPTS' ? count(responses, 'INVALID_CONFIRM_CODE') + 1 : Infinity;
  }

  async function signInsByOneCode(): Promise<number> {
    const { id, code } = await start();
    return count(await many(30, () => verify(id, code)), 200);
  }

  async function posts(): Promise<number> {
    const token = await signIn();
    return count(await many(30, (i) => send('POST', '/posts', { token, body: { text: `${i}` } })), 201);
  }

  async function acceptedAfterClosing(): Promise<number> {
    const email = newAddress();
    const [closed, open] = [await signIn(email), await signIn(email)];
    const { json } = await send('GET', '/sessions', { token: open });
    const other = json.sessions!.find(({ current }) => !current)!;
    await send('DELETE', `/sessions/${other.id}`, { token: open });
    return 30 - count(await many(30, () => send('GET', '/users/current', { token: closed })), 401);
  }

  /** The client cannot choose its address by a header. */
  async function startsByOneNetwork(): Promise<number> {
    const tried = startsAnHour + 10;
    const responses = await many(tried, (i) => {
      const body = { email: `nobody${i}@example.net`, clientToken, device };
      return send('POST', '/logins', { body, forwardedFor: `198.51.100.${i}` });
    });
    return starts + tried - count(responses, 429);
  }

  const found = {
    'tries of a code': [await guesses(), triesOfACode],
    'sign-ins by one code': [await signInsByOneCode(), 1],
    'posts in a minute': [await posts(), postsAMinute],
    'calls after closing': [await acceptedAfterClosing(), 0],
    'starts by one network': [await startsByOneNetwork(), startsAnHour],
  };
  const entries = Object.entries(found);
  return {
    what,
    measured: entries.map(([, [got]]) => got).join(', '),
    target: entries.map(([, [, wanted]]) => wanted).join(', '),
    ok: entries.every(([, [got, wanted]]) => got === wanted),
    detail: entries.map(([name]) => name).join(', '),
  };
}

interface Response {
  status: number;
  json: {
    id?: string;
    code?: string;
    accessToken?: { token: string };
    sessions?: Array<{ id: string; current: boolean }>;
  };
}

const many = (times: number, work: (i: number) => Promise<Response>): Promise<Response[]> =>
  Promise.all(Array.from({ length: times }, (_, i) => work(i)));

/** Number of responses with a status or an error code. */
const count = (responses: readonly Response[], wanted: number | string): number =>
  responses.filter(({ status, json }) => status === wanted || json.code === wanted).length;
