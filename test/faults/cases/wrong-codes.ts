import { count } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { newAddress, wrong } from '../../kit/sign-in.ts';
import { allAtOnce, sessionsOf, type Started, startMany } from '../kit/codes.ts';
import { type WallOverHttp, openWallOverHttp } from '../kit/wall-over-http.ts';
import { type Fault, onEachEngine } from '../fault.ts';

const guesses = { short: 500, whole: 10_000 };
const rightAtOnce = 200;
const hour = 3_600;
/** The number of mails per day is limited too. */
const operationsAnHour = 3;
/** Codes judged for one address in three hours: at most ten per hour and twenty in all. */
const capsOfHours = [10, 10, 0];

/** Thousands of codes are guessed through every process at once. */
export const wrongCodes: Fault = {
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
  const rejected = rejectedBy(outcomes, 'MAX_CONFIRM_ATTEMPTS');
  const expected = outcomes.get('INVALID_CONFIRM_CODE') === 4 && rejected === many - 4;
  return {
    what: `${count(many)} wrong codes at once, ${where}`,
    measured: `${judged} judged`,
    target: '5 judged',
    ok: judged === 5 && expected && right === 'MAX_CONFIRM_ATTEMPTS',
    detail: `${words(outcomes)}; then the right one: ${right}`,
  };
}

/** The clock of a server process cannot be set, so the used budget is moved back by an hour instead. */
async function oneAddress(wall: WallOverHttp, many: number, where: string): Promise<Figure> {
  const email = newAddress();
  const hours: number[] = [];
  const details: string[] = [];
  let exact = true;
  for (const _ of capsOfHours) {
    const before = await judgedOf(wall, email);
    const operations = await startMany(wall, email, operationsAnHour);
    const outcomes = await allAtOnce(many, (i) => {
      const { verify, code } = operations[i % operations.length]!;
      return verify(i % 100 === 3 ? code : wrong(code));
    });
    hours.push((await judgedOf(wall, email)) - before);
    exact &&= (outcomes.get('200') ?? 0) <= operations.length;
    details.push(words(outcomes));
    await ageBudgets(wall, email);
  }
  return {
    what: `${count(many)} wrong and right codes for one address, three times, ${where}`,
    measured: `${hours.join(', ')} judged`,
    target: `${capsOfHours.join(', ')} judged`,
    ok: exact && hours.join() === capsOfHours.join(),
    detail: details.join('; an hour later '),
  };
}

async function rightCodes(wall: WallOverHttp, where: string): Promise<Figure> {
  const email = newAddress();
  const [started] = (await startMany(wall, email, 1)) as [Started];
  const outcomes = await allAtOnce(rightAtOnce, () => started.verify(started.code));
  const sessions = await sessionsOf(wall, email);
  return {
    what: `${rightAtOnce} right codes at once, ${where}`,
    measured: `sessions: ${sessions}`,
    target: 'sessions: 1',
    ok: sessions === 1 && outcomes.get('200') === 1 && rejectedBy(outcomes, 'OPERATION_EXPIRED') === rightAtOnce - 1,
    detail: words(outcomes),
  };
}

/** Rejected for a reason, or by an overloaded process, which does not look at the code. */
const rejectedBy = (outcomes: ReadonlyMap<string, number>, reason: string): number =>
  (outcomes.get(reason) ?? 0) + (outcomes.get('UNAVAILABLE') ?? 0);

/** Number of guesses for an address that were compared with its codes, according to the used budget. */
async function judgedOf({ db }: WallOverHttp, email: string): Promise<number> {
  const row = await db.read
    .selectFrom('budgets')
    .select('hits')
    .where('key', '=', `wrong codes ${email}`)
    .executeTakeFirst();
  return row ? (JSON.parse(row.hits) as number[]).length : 0;
}

/** Moves the used budget of an address back by an hour. */
async function ageBudgets({ db }: WallOverHttp, email: string): Promise<void> {
  await db.tx(async (tx) => {
    const rows = await tx.db.selectFrom('budgets').select(['key', 'hits']).where('key', 'like', `% ${email}`).execute();
    for (const { key, hits } of rows) {
      const aged = (JSON.parse(hits) as number[]).map((at) => at - hour);
      await tx.db
        .updateTable('budgets')
        .set({ hits: JSON.stringify(aged) })
        .where('key', '=', key)
        .execute();
    }
  });
}

const words = (outcomes: ReadonlyMap<string, number>): string =>
  [...outcomes].map(([outcome, times]) => `${count(times)} × ${outcome}`).join(', ');
