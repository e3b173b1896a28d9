import { type Browser, device, openBrowser } from '../../kit/sign-in.ts';
import { untilAvailable, type WallOverHttp } from './wall-over-http.ts';

/** A registration whose code is known. */
export interface Started {
  code: string;
  /** Resolves to `200` or to the error code. */
  verify(code: string): Promise<string>;
}

const codePattern = /\b\d{6}\b/;

/** Starts registrations of one address, each from another client. */
export function startMany(wall: WallOverHttp, email: string, many: number): Promise<Started[]> {
  return Promise.all(Array.from({ length: many }, () => start(wall, email)));
}

async function start(wall: WallOverHttp, email: string): Promise<Started> {
  const { send, ip, clientToken } = openBrowser(wall);
  // The mail names the browser's version, so that its code can be assigned to the client. It has at most three digits.
  const version = String(Number(clientToken.replace(/\D/g, '')) % 1_000);
  const registration = { email, clientToken, device: { ...device, userAgentVersion: version } };
  const started = await untilAvailable(() => send('POST', '/registrations', registration));
  if (started.statusCode !== 201) throw new Error(`a registration returned ${started.statusCode} ${started.body}`);
  const { id } = started.json() as { id: string };
  // Versions repeat after a thousand clients. An earlier client's notice of a new device names the version too, without a code.
  const isCode = (text: string): boolean =>
    text.includes(`: ${device.userAgent} ${version}, `) && codePattern.test(text);
  const mail = await wall.mail.mailTo(email, ({ text }) => isCode(text));
  return {
    code: codePattern.exec(mail.text)![0],
    // Every guess comes from an unknown browser.
    async verify(code) {
      const stranger: Browser = Object.assign(openBrowser(wall), { ip, clientToken });
      const { statusCode, body } = await stranger.verify('registrations', id, code);
      return statusCode === 200 ? '200' : (JSON.parse(body) as { code: string }).code;
    },
  };
}

/** Does something many times at once; resolves to the number of times that each outcome came. */
export async function allAtOnce(many: number, work: (i: number) => Promise<string>): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const all = await Promise.all(Array.from({ length: many }, (_, i) => work(i)));
  for (const outcome of all) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  return outcomes;
}

/** Number of open sessions of the person with an address. */
export async function sessionsOf({ db }: WallOverHttp, email: string): Promise<number> {
  const sessions = await db.read
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('u.email', '=', email)
    .execute();
  return sessions.length;
}
