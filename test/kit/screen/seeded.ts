import { admin } from '../admin.ts';
import { type Person, seedOf } from '../seed.ts';
import { newAddress } from '../sign-in.ts';
import { now } from '../signed-in.ts';
import { openWall } from '../wall.ts';
import { openScreen } from './open-screen.ts';

export type SeededWall = Awaited<ReturnType<typeof openSeeded>>;

/** An empty wall at the time of the machine, with a person, and what tests and operators write to its database. */
export async function openSeeded(settings: NodeJS.ProcessEnv = {}) {
  const wall = await openWall('sqlite', settings);
  wall.clock.now = now();
  const seed = seedOf(wall.db);
  const name = 'anna_k';
  // The mail server is the same for all walls.
  const email = newAddress();
  const anna: Person = { id: await seed.person(name, email), name, email };
  return {
    ...wall,
    seed,
    anna,
    me: anna.id,
    /** Runs an operator’s command; resolves to its output. */
    operator: (...args: string[]): Promise<string> => admin(wall.db, ...args),
  };
}

/** A page of a wall; closing it closes both. */
export async function openOn<Opened extends SeededWall>(wall: Opened, path: string, { asVisitor = false } = {}) {
  const screen = await openScreen(wall, path, asVisitor ? {} : { as: wall.me });
  return {
    wall,
    person: wall.anna,
    screen,
    async [Symbol.asyncDispose]() {
      await screen.close();
      await wall.close();
    },
  };
}

interface OwnPageOptions {
  settings?: NodeJS.ProcessEnv;
  asVisitor?: boolean;
  /** Changes the wall before the page is opened. */
  prepare?: (wall: SeededWall) => Promise<unknown>;
}

/** A page of a person on a wall of their own, or with `asVisitor` of somebody who has not signed in. */
export async function openOwnPage(path: string, { settings, prepare, ...options }: OwnPageOptions = {}) {
  const wall = await openSeeded(settings);
  await prepare?.(wall);
  return openOn(wall, path, options);
}
