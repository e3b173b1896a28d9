import { type Browser, device, openBrowser } from '../../test/door.ts';
import type { DistantWall } from './distant-wall.ts';

/** A registration whose code is known. */
export interface Started {
  code: string;
  /** The code of the refusal, or the status. */
  verify(code: string): Promise<string>;
}

/** So many registrations of one address, each of another client. */
export function startMany(wall: DistantWall, email: string, many: number): Promise<Started[]> {
  return Promise.all(Array.from({ length: many }, () => start(wall, email)));
}

async function start(wall: DistantWall, email: string): Promise<Started> {
  const { send, ip, clientToken } = openBrowser(wall);
  // By what the mail says of the device it is known whose code it brings: a version of up to three digits.
  const version = String(Number(clientToken.replace(/\D/g, '')) % 1_000);
  const asking = { ...device, userAgentVersion: version };
  const started = await send('POST', '/registrations', { email, clientToken, device: asking });
  if (started.statusCode !== 201) throw new Error(`a registration answered ${started.statusCode} ${started.body}`);
  const { id } = started.json() as { id: string };
  const mail = await wall.mail.mailTo(email, ({ text }) => text.includes(`: ${device.userAgent} ${version}, `));
  return {
    code: /\b\d{6}\b/.exec(mail.text)![0],
    // Every guess comes from a browser that nobody knows.
    async verify(code) {
      const stranger: Browser = Object.assign(openBrowser(wall), { ip, clientToken });
      const { statusCode, body } = await stranger.verify('registrations', id, code);
      return statusCode === 200 ? '200' : (JSON.parse(body) as { code: string }).code;
    },
  };
}

/** Does something so many times at once; how often each outcome came. */
export async function allAtOnce(many: number, work: (i: number) => Promise<string>): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const all = await Promise.all(Array.from({ length: many }, (_, i) => work(i)));
  for (const outcome of all) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  return outcomes;
}
