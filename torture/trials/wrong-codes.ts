import { count } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { newAddress, wrong } from '../../test/door.ts';
import { engines } from '../../test/engines.ts';
import { allAtOnce, type Started, startMany } from '../kit/codes.ts';
import { type DistantWall, openDistantWall } from '../kit/distant-wall.ts';
import type { Trial } from '../trial.ts';

const guesses = { short: 500, whole: 10_000 };
const rightAtOnce = 200;
const hour = 3_600;
/** Mails of a day are limited too. */
const operationsAnHour = 3;
/** Of one address, in three hours: no more than ten in any of them, and twenty in all. */
const capsOfHours = [10, 10, 0];

/** Codes are guessed at by thousands, through every process at once. */
export const wrongCodes: Trial = {
  name: 'wrong-codes',
  async run(extent) {
    const figures: Figure[] = [];
    for (const engine of engines) {
      const settings = { CODE_RESEND_SECONDS: '0', CODE_TTL_SECONDS: String(24 * hour) };
      const wall = await openDistantWall(engine, settings);
      const where = `${engine}, ${wall.servers.length} process${wall.servers.length > 1 ? 'es' : ''}`;
      try {
        figures.push(
          await oneOperation(wall, guesses[extent], where),
          await oneAddress(wall, guesses[extent], where),
          await rightCodes(wall, where),
        );
      } finally {
        await wall.close();
      }
    }
    return figures;
  },
};

async function oneOperation(wall: DistantWall, many: number, where: string): Promise<Figure> {
  const email = newAddress();
  const [started] = (await startMany(wall, email, 1)) as [Started];
  const told = await allAtOnce(many, () => started.verify(wrong(started.code)));
  const judged = await judgedOf(wall, email);
  const right = await started.verify(started.code);
  // A process that has too much to do says so before it looks at anything.
  const refused = (told.get('MAX_CONFIRM_ATTEMPTS') ?? 0) + (told.get('UNAVAILABLE') ?? 0);
  const answers = told.get('INVALID_CONFIRM_CODE') === 4 && refused === many - 4;
  return {
    what: `${count(many)} wrong codes at once, ${where}`,
    measured: `${judged} judged`,
    target: '5 judged',
    ok: judged === 5 && answers && right === 'MAX_CONFIRM_ATTEMPTS',
    detail: `${words(told)}; then the right one: ${right}`,
  };
}

/** The wall's clock cannot be moved from here: what was spent is moved back instead. */
async function oneAddress(wall: DistantWall, many: number, where: string): Promise<Figure> {
  const email = newAddress();
  const hours: number[] = [];
  const told: string[] = [];
  let exact = true;
  for (const _ of capsOfHours) {
    const before = await judgedOf(wall, email);
    const operations = await startMany(wall, email, operationsAnHour);
    const answers = await allAtOnce(many, (i) => {
      const { verify, code } = operations[i % operations.length]!;
      return verify(i % 100 === 3 ? code : wrong(code));
    });
    hours.push((await judgedOf(wall, email)) - before);
    exact &&= (answers.get('200') ?? 0) <= operations.length;
    told.push(words(answers));
    await ageBudgets(wall, email);
  }
  return {
    what: `${count(many)} wrong and right codes for one address, thrice, ${where}`,
    measured: `${hours.join(', ')} judged`,
    target: `${capsOfHours.join(', ')} judged`,
    ok: exact && hours.join() === capsOfHours.join(),
    detail: told.join('; an hour later '),
  };
}

async function rightCodes(wall: DistantWall, where: string): Promise<Figure> {
  const email = newAddress();
  const [started] = (await startMany(wall, email, 1)) as [Started];
  const told = await allAtOnce(rightAtOnce, () => started.verify(started.code));
  const sessions = await wall.db.read
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('u.email', '=', email)
    .execute();
  return {
    what: `${rightAtOnce} right codes at once, ${where}`,
    measured: `sessions: ${sessions.length}`,
    target: 'sessions: 1',
    ok: sessions.length === 1 && told.get('200') === 1 && told.get('OPERATION_EXPIRED') === rightAtOnce - 1,
    detail: words(told),
  };
}

/** How many guesses at an address were compared with its codes, by what they cost. */
async function judgedOf({ db }: DistantWall, email: string): Promise<number> {
  const row = await db.read
    .selectFrom('budgets')
    .select('hits')
    .where('key', '=', `wrong codes ${email}`)
    .executeTakeFirst();
  return row ? (JSON.parse(row.hits) as number[]).length : 0;
}

/** As if an hour had gone by for an address. */
async function ageBudgets({ db }: DistantWall, email: string): Promise<void> {
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

const words = (told: ReadonlyMap<string, number>): string =>
  [...told].map(([answer, n]) => `${count(n)} × ${answer}`).join(', ');
