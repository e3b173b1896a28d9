import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { sessionsPerUser } from '../../../server/features/sessions/session-rules.ts';
import { type Browser, device, newAddress, openBrowser, wrong } from '../../kit/sign-in.ts';
import { newUser, signedIn } from '../../kit/signed-in.ts';
import { allAtOnce, Tally } from '../kit/load.ts';
import { type WallOverHttp, openWallOverHttp, untilAvailable } from '../kit/wall-over-http.ts';
import { exactly, type Extent, type Fault, onEachEngine } from '../fault.ts';

const guesses = { short: 500, whole: 10_000 };
const rightAtOnce = 200;
const hour = 3_600;
/** This number is small, because mails per day are limited too. */
const operationsAnHour = 3;
/** Codes judged for one address in three hours: at most ten per hour and twenty in all. */
const capsOfHours = [10, 10, 0];

/** Thousands of codes are guessed through every process at once. */
const wrongCodes: Fault = {
  name: 'wrong-codes',
  run: (extent) =>
    onEachEngine(async (engine) => {
      const settings = { CODE_RESEND_SECONDS: '0', CODE_TTL_SECONDS: String(24 * hour) };
      await using wall = await openWallOverHttp(engine, settings);
      const where = `${engine}, ${wall.servers.length} process${wall.servers.length > 1 ? 'es' : ''}`;
      return [
        await oneOperation(wall, guesses[extent], where),
        await oneAddress(wall, guesses[extent], where),
        await rightCodes(wall, where),
      ];
    }),
};

async function oneOperation(wall: WallOverHttp, many: number, where: string): Promise<Figure> {
  const email = newAddress();
  const [started] = (await startMany(wall, email, 1)) as [Started];
  const outcomes = await allAtOnce(many, () => started.verify(wrong(started.code)));
  const judged = await judgedOf(wall, email);
  const right = await started.verify(started.code);
  // An overloaded process does not look at the code.
  const rejected = outcomes.of('MAX_CONFIRM_ATTEMPTS', 'UNAVAILABLE') === many - 4;
  const enough = rejected && outcomes.of('INVALID_CONFIRM_CODE') === 4 && right === 'MAX_CONFIRM_ATTEMPTS';
  const detail = `${outcomes.toString()}; then the right one: ${right}`;
  return exactly(`${count(many)} wrong codes at once, ${where}`, [judged], [5], detail, { word: 'judged', enough });
}

/** The clock of a server process cannot be set, so the used budget is moved back by an hour instead. */
async function oneAddress(wall: WallOverHttp, many: number, where: string): Promise<Figure> {
  const email = newAddress();
  const hours: number[] = [];
  const details: string[] = [];
  let enough = true;
  for (const _ of capsOfHours) {
    const before = await judgedOf(wall, email);
    const operations = await startMany(wall, email, operationsAnHour);
    const outcomes = await allAtOnce(many, (i) => {
      const { verify, code } = operations[i % operations.length]!;
      return verify(i % 100 === 3 ? code : wrong(code));
    });
    hours.push((await judgedOf(wall, email)) - before);
    enough &&= outcomes.of('200') <= operations.length;
    details.push(outcomes.toString());
    await ageBudgets(wall, email);
  }
  const what = `${count(many)} wrong and right codes for one address, three times, ${where}`;
  return exactly(what, hours, capsOfHours, details.join('; an hour later '), { word: 'judged', enough });
}

async function rightCodes(wall: WallOverHttp, where: string): Promise<Figure> {
  const email = newAddress();
  const [started] = (await startMany(wall, email, 1)) as [Started];
  const outcomes = await allAtOnce(rightAtOnce, () => started.verify(started.code));
  const sessions = await sessionsOf(wall, email);
  const enough = outcomes.of('200') === 1 && outcomes.of('OPERATION_EXPIRED', 'UNAVAILABLE') === rightAtOnce - 1;
  const what = `${rightAtOnce} right codes at once, ${where}`;
  return exactly(what, [sessions], [1], outcomes.toString(), { word: 'sessions', enough });
}

/** Number of guesses for an address that were compared with its codes, according to the used budget. */
async function judgedOf({ db }: WallOverHttp, email: string): Promise<number> {
  const used = db.read.selectFrom('budgets').select('hits').where('key', '=', `wrong codes ${email}`);
  const row = await used.executeTakeFirst();
  return row ? (JSON.parse(row.hits) as number[]).length : 0;
}

/** Moves the used budget of an address back by an hour. */
async function ageBudgets({ db }: WallOverHttp, email: string): Promise<void> {
  await db.tx(async (tx) => {
    const rows = await tx.db.selectFrom('budgets').select(['key', 'hits']).where('key', 'like', `% ${email}`).execute();
    for (const { key, hits } of rows) {
      const aged = JSON.stringify((JSON.parse(hits) as number[]).map((at) => at - hour));
      await tx.db.updateTable('budgets').set({ hits: aged }).where('key', '=', key).execute();
    }
  });
}

const people = { short: 3, whole: 10 };
const rounds = { short: 4, whole: 40 };
const roundsPerKill = 2;
const tabs = 20;
const closings = { short: 5, whole: 50 };
const requestEveryMs = 4;
const aroundClosingMs = 150;
const askedAfterClosing = 10;
const crowds = { short: 2, whole: 20 };
const signIns = 60;
const pauseMs = 20;

/** All tabs renew their tokens at once while sessions are closed and servers are killed. */
const tokenStorms: Fault = {
  name: 'token-storms',
  run: (extent) =>
    onEachEngine(async (engine) => {
      await using wall = await openWallOverHttp(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      return [
        ...(await storms(wall, extent)),
        await closed(wall, closings[extent]),
        await manySignIns(wall, crowds[extent]),
      ];
    }),
};

async function storms(wall: WallOverHttp, extent: Extent): Promise<Figure[]> {
  const { engine } = wall.db;
  const owners: SignedInBrowser[] = [];
  const others: SignedInBrowser[][] = [];
  for (let i = 0; i < people[extent]; i += 1) {
    const [owner, ...rest] = await signedInBrowsers(wall, `storm_${i}`, sessionsPerUser);
    owners.push(owner!);
    others.push(rest);
  }
  const [renewals, afterClosing] = [new Tally<number>(), new Tally<number>()];
  const allTabs = async (browser: SignedInBrowser, into: Tally<number>): Promise<void> => {
    const renewed = await allAtOnce(tabs, async () => (await untilAvailable(() => renew(browser))).statusCode);
    for (const [status, times] of renewed) into.add(status, times);
  };
  let kills = 0;
  for (let round = 0; round < rounds[extent]; round += 1) {
    const renewing = owners.map((owner) => allTabs(owner, renewals));
    const closing = others.map(async (rest, i) => {
      const other = rest.pop();
      if (!other) return;
      await untilAvailable(() => owners[i]!.send('DELETE', `/sessions/${other.sessionId}`));
      await allTabs(other, afterClosing);
    });
    if (round % roundsPerKill === 1) {
      await sleep(Math.random() * 20);
      await wall.replace(kills % wall.servers.length);
      kills += 1;
    }
    await Promise.all([...renewing, ...closing]);
  }
  const expected = owners.length * tabs * rounds[extent];
  const storm = `${tabs} tabs of ${owners.length} browsers, ${rounds[extent]} times, ${kills} × kill -9, ${engine}`;
  const through = `${renewals.toString()} through ${wall.servers.length} processes`;
  const meanwhile = `renew a session closed meanwhile, ${engine}`;
  return [
    none(`renew at once: ${storm}`, renewals.except(200).total, 'signed out', through, {
      target: `0 of ${count(expected)}`,
      enough: renewals.total === expected,
    }),
    none(meanwhile, afterClosing.except(401).total, 'let through', `${afterClosing.toString()} after it was closed`, {
      enough: afterClosing.total > 0,
    }),
  ];
}

const renew = (browser: SignedInBrowser) =>
  browser.send('PATCH', '/sessions/current', { clientToken: browser.clientToken });

/** Promise 11 of docs/reliability.md: a request that begins after a session was closed is rejected by every process. */
async function closed(wall: WallOverHttp, times: number): Promise<Figure> {
  let late = 0;
  let after = 0;
  let requests = 0;
  for (let i = 0; i < times; i += 1) {
    const [owner, other] = (await signedInBrowsers(wall, `closed_${i}`, 2)) as [SignedInBrowser, SignedInBrowser];
    let isClosed = false;
    const responses: Promise<void>[] = [];
    const ask = async (): Promise<void> => {
      const isLate = isClosed;
      requests += 1;
      const { statusCode } = await other.send('GET', '/users/current');
      if (isLate) after += 1;
      if (isLate && statusCode !== 401) late += 1;
    };
    const load = setInterval(() => responses.push(ask()), requestEveryMs);
    await sleep(aroundClosingMs);
    const closing = await owner.send('DELETE', `/sessions/${other.sessionId}`);
    if (closing.statusCode !== 204) throw new Error(`Closing a session returned ${closing.statusCode} ${closing.body}`);
    isClosed = true;
    for (let sent = 0; sent < askedAfterClosing; sent += 1) await ask();
    clearInterval(load);
    await Promise.all(responses);
  }
  const detail = `${count(requests)} requests, ${count(after)} of them after the 204`;
  return none(`${times} closings under load, ${wall.db.engine}`, late, 'let through', detail, {
    enough: after >= times * askedAfterClosing,
  });
}

/** Repeats simultaneous sign-ins, because it depends on timing which of the sessions a sign-in sees. */
async function manySignIns(wall: WallOverHttp, times: number): Promise<Figure> {
  const email = newAddress();
  const open: number[] = [];
  const entered = new Tally<string>();
  for (let i = 0; i < times; i += 1) {
    const started = await startMany(wall, email, signIns);
    for (const [outcome, n] of await allAtOnce(signIns, (at) => enter(started[at]!))) entered.add(outcome, n);
    open.push(await sessionsOf(wall, email));
  }
  const what = `${signIns} sign-ins of one person at once, ${times} times, ${wall.db.engine}`;
  return exactly(what, [Math.min(...open), Math.max(...open)], [sessionsPerUser, sessionsPerUser], entered.toString(), {
    word: 'sessions',
    enough: entered.of('200') === times * signIns,
  });
}

/** Enters a code, again while the process is overloaded: it then rejects a request before it looks at the code. */
async function enter({ verify, code }: Started): Promise<string> {
  for (;;) {
    const outcome = await verify(code);
    if (outcome !== 'UNAVAILABLE') return outcome;
    await sleep(pauseMs);
  }
}

interface SignedInBrowser extends Browser {
  sessionId: number;
}

/** Browsers of one person, with sessions written straight to the database. */
async function signedInBrowsers(
  { db, ...wall }: WallOverHttp,
  username: string,
  many: number,
): Promise<SignedInBrowser[]> {
  const userId = await newUser(db, username);
  const browsers: SignedInBrowser[] = [];
  for (let i = 0; i < many; i += 1) {
    const browser = openBrowser(wall);
    const { sessionId, cookie, token } = await signedIn(db, userId, browser);
    browser.cookies.set('session', cookie);
    browsers.push(Object.assign(browser, { sessionId, token }));
  }
  return browsers;
}

/** A registration whose code is known. */
interface Started {
  code: string;
  /** Resolves to `200` or to the error code. */
  verify(code: string): Promise<string>;
}

const codePattern = /\b\d{6}\b/;

/** Starts registrations of one address, each from another client. */
function startMany(wall: WallOverHttp, email: string, many: number): Promise<Started[]> {
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

/** Number of open sessions of the person with an address. */
async function sessionsOf({ db }: WallOverHttp, email: string): Promise<number> {
  const joined = db.read.selectFrom('sessions as s').innerJoin('users as u', 'u.id', 's.user_id');
  return (await joined.select('s.id').where('u.email', '=', email).execute()).length;
}

export const codesAndTokens = [wrongCodes, tokenStorms];
