import type { Database } from '../../../server/db/database.ts';
import { type Engine, openFresh } from '../engines.ts';
import { startLocalServer } from '../app.ts';
import { newAddress } from '../sign-in.ts';
import { type MailServer, startMailServer } from '../smtp.ts';
import { seedOf } from '../seed.ts';
import type { PlainWorld } from './act.ts';
import type { NewWorld } from './first-hour.ts';

interface OpenedWall extends AsyncDisposable {
  url: string;
  db: Database;
  mail: MailServer;
}

/** A wall with a server and the data of a story, for browsers with or without scripts. */
export interface OpenedStory extends OpenedWall {
  /** An address without an account. */
  email: string;
  world: PlainWorld;
  /** The rows of the tables that most forms change, as text. */
  rows(): Promise<string>;
}

const changed = [
  'all_posts',
  'likes',
  'users',
  'sessions',
  'operations',
  'mutes',
  'reports',
  'pending_posts',
  'follows',
  'program_tokens',
  'operator_log',
] as const;

async function openServer(engine: Engine, settings: NodeJS.ProcessEnv): Promise<OpenedWall> {
  const mail = await startMailServer();
  const { db, close } = await openFresh(engine);
  const own = { LOG_LEVEL: 'error', SMTP_URL: mail.url, RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0', ...settings };
  const server = await startLocalServer(db, own);
  return {
    url: server.address,
    db,
    mail,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await close();
      await mail.close();
    },
  };
}

export async function openStory(engine: Engine, settings: NodeJS.ProcessEnv = {}): Promise<OpenedStory> {
  const wall = await openServer(engine, settings);
  const { db, mail } = wall;
  const email = newAddress();
  return {
    ...wall,
    email,
    world: await plainWorld(db, mail, email),
    async rows() {
      const rows = await Promise.all(changed.map((table) => db.read.selectFrom(table).selectAll().execute()));
      // These fields change with every page.
      return JSON.stringify(rows, (name, value: unknown) =>
        ['last_active_at', 'expires_at', 'client_token'].includes(name) ? '' : value,
      );
    },
  };
}

/** A new wall that nobody has visited yet. */
export async function openNewWall(engine: Engine): Promise<OpenedWall & { world: NewWorld }> {
  const wall = await openServer(engine, {});
  const ownerPath = `/owner/${await seedOf(wall.db).ownerCode()}`;
  return { ...wall, world: { mail: wall.mail, ownerPath, owner: newAddress(), neighbour: newAddress() } };
}

/** Seeds the data that the story needs. */
async function plainWorld(db: Database, mail: MailServer, email: string): Promise<PlainWorld> {
  const seed = seedOf(db);
  const name = 'baker_of_bread';
  const author = { id: await seed.person(name), name };
  const reader = await seed.person('reader_of_all');
  const [postId, reportedId] = await seed.posts([
    { by: author.id, text: 'Где взять закваску на ржаной хлеб?' },
    { by: author.id, text: 'Купите у меня' },
  ]);
  await seed.report(reportedId!, reader);
  const users = db.read.selectFrom('users').select(['id', 'username as name']);
  const whoIs = (of: string) => users.where('email', '=', of).executeTakeFirstOrThrow();
  return { mail, seed, email, whoIs, author, postId: postId!, reportedId: reportedId! };
}
