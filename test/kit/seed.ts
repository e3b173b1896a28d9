import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { Device } from '#contract/sessions.ts';
import type { Database } from '../../server/db/database.ts';
import { changeEmail, changeProfile } from '../../server/features/account/account-store.ts';
import { addMute } from '../../server/features/mutes/mute-routes.ts';
import { setFollowing } from '../../server/features/notifications/follows.ts';
import { likePost, unlikePost } from '../../server/features/posts/likes.ts';
import { holdPost } from '../../server/features/posts/pending-posts.ts';
import { changeState } from '../../server/features/posts/post-states.ts';
import {
  changeText,
  createPost,
  createReply,
  lockPost,
  lockWithdrawn,
} from '../../server/features/posts/post-writes.ts';
import { putWord, removeWord } from '../../server/features/words/word-store.ts';
import { claimCode, importedEmail } from '../../server/features/moderation/claims.ts';
import { addInvites, newInviteCode, newOwnerCode } from '../../server/features/moderation/invites.ts';
import { type Performed, perform } from '../../server/features/moderation/desk/perform.ts';
import { actAppoint } from '../../server/features/moderation/roles.ts';
import { addReport } from '../../server/features/reports/report-store.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { SECRET } from './server-process.ts';
import { newUser, now as currentTime, type SignedIn, signedIn } from './signed-in.ts';

export interface Written {
  by: number;
  text: string;
  /** Age in seconds. */
  age?: number;
}

/** Columns with values that otherwise only time or many people would create. */
interface Marks {
  modified_at?: number;
  likes_count?: number;
  thread_count?: number;
}

const testBrowser: Device = { userAgent: 'Chrome', userAgentVersion: '142.0', os: 'Linux' };

export type Seed = ReturnType<typeof seedOf>;

/** Fills the database through the stores of the app. */
export function seedOf(db: Database) {
  const now = currentTime();
  const operator = { at: now, operator: 'operator', reason: 'для проверки' };
  const row = ({ by, text, age = 0 }: Written) => ({ userId: by, text, now: now - age });

  return {
    person: (username: string, email?: string): Promise<number> => newUser(db, username, now - 1_000 * 86_400, email),

    /** A person as an import leaves them, and the code by which the account is claimed. */
    imported: async (username: string): Promise<{ id: number; code: string }> => {
      const id = await newUser(db, username, now - 1_000 * 86_400);
      await db.tx((tx) => changeEmail(tx, id, importedEmail(id)));
      return { id, code: claimCode(makeSecrets(SECRET), id) };
    },

    /** Gives a person a display name. */
    name: (id: number, name: string): Promise<void> => db.tx((tx) => changeProfile(tx, id, { display_name: name })),

    /** Marks a person as a newcomer. */
    newcomer: (id: number): Promise<unknown> =>
      db.tx((tx) =>
        tx.db
          .updateTable('users')
          .set({ newcomer_until: now + 6 * 86_400 })
          .where('id', '=', id)
          .execute(),
      ),

    mute: (userId: number, mutedId: number): Promise<unknown> => db.tx((tx) => addMute(tx, { userId, mutedId, now })),

    word: (userId: number, word: string, kind: 'follow' | 'hide'): Promise<unknown> =>
      db.tx((tx) => putWord(tx, { userId, word, kind })),
    removeWord: (userId: number, word: string): Promise<unknown> => db.tx((tx) => removeWord(tx, userId, word)),

    /** The stored choices of a person. */
    choicesOf: (id: number) =>
      db.read
        .selectFrom('users')
        .select(['display_name', 'face', 'about', 'digest', 'replies_at_once', 'wall_daily'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),

    /** Opens a session, by default for the browser of the test. */
    session: (userId: number, device = testBrowser): Promise<SignedIn> =>
      signedIn(db, userId, { device, clientToken: `${device.userAgent} ${device.os}` }),

    /** Creates root posts in the given order: the last one is at the top of the feed. */
    posts: (posts: readonly Written[]): Promise<number[]> =>
      db.tx(async (tx) => {
        const ids: number[] = [];
        for (const post of posts) ids.push(await createPost(tx, row(post)));
        return ids;
      }),

    replies: (to: number, replies: readonly Written[]): Promise<number[]> =>
      db.tx(async (tx) => {
        const ids: number[] = [];
        for (const reply of replies) ids.push((await createReply(tx, to, row(reply)))!);
        return ids;
      }),

    /** Resolves to the code of an invitation, by default for ten people. */
    invitation: async ({ id = null, seats = 10 }: { id?: number | null; seats?: number }): Promise<string> => {
      const code = newInviteCode();
      await db.tx((tx) => addInvites(tx, [code], 'Соседям', now, { seats, made_by: id }));
      return code;
    },

    /** Sets who has invited a person. */
    invited: (id: number, by: number): Promise<unknown> =>
      db.tx((tx) => tx.db.updateTable('users').set({ invited_by: by }).where('id', '=', id).execute()),

    /** The code of the link that an empty wall prints. */
    ownerCode: async (): Promise<string> => (await newOwnerCode(db, makeSecrets(SECRET), now))!,

    report: (postId: number, userId: number, reasonId = 'spam'): Promise<void> =>
      db.tx(async (tx) => addReport(tx, { post: (await lockPost(tx, postId))!, userId, reasonId, now })),

    appoint: (person: { id: number; name: string }, role: 'moderator' | 'owner' = 'moderator'): Promise<unknown> =>
      db.tx((tx) => actAppoint(tx, person.id, operator, { owner: role === 'owner' })),

    /** Ends the time in which the person's changes of the address can be undone. */
    settleEmail: (id: number): Promise<unknown> =>
      db.tx((tx) => tx.db.updateTable('email_changes').set({ expires_at: 0 }).where('user_id', '=', id).execute()),

    /** Makes a newcomer's post that waits for a moderator. */
    hold: (by: number, text: string): Promise<unknown> =>
      db.tx((tx) =>
        holdPost(tx, {
          userId: by,
          text,
          now,
          repliedTo: null,
          gate: { posts: 1, hours: 24 },
          wallPace: 0,
          key: undefined,
        }),
      ),

    /** An operator carries out an act of keepers on a post or a person, which must succeed. */
    act: async (act: Performed, id: number, reason = operator.reason): Promise<void> => {
      const by = { ...operator, at: currentTime(), reason };
      const { outcome } = await perform(db, async () => ({ act, id, by }));
      assert.ok(!('refused' in outcome), `${act}: ${JSON.stringify(outcome)}`);
    },

    edit: (id: number, text: string): Promise<void> =>
      db.tx(async (tx) => changeText(tx, (await lockPost(tx, id))!, text, now)),

    remove: (id: number): Promise<void> =>
      db.tx(async (tx) => changeState(tx, (await lockPost(tx, id))!, { to: 'gone' }, now)),

    /** Ends the time in which the author of a deleted post can restore it. */
    purge: (id: number): Promise<unknown> =>
      db.tx(async (tx) => changeState(tx, (await lockWithdrawn(tx, id))!, { to: 'gone' }, now)),

    like: (postId: number, userId: number): Promise<unknown> => db.tx((tx) => likePost(tx, { postId, userId, now })),

    unlike: (postId: number, userId: number): Promise<unknown> =>
      db.tx((tx) => unlikePost(tx, { postId, userId, now })),

    follow: (rootId: number, userId: number): Promise<void> =>
      db.tx((tx) => setFollowing(tx, { rootId, userId }, true)),

    mark: (id: number, marks: Marks): Promise<unknown> =>
      db.tx((tx) => tx.db.updateTable('all_posts').set(marks).where('id', '=', id).execute()),
  };
}

/** A test fixture with a database to seed. */
interface Seedable {
  seed: Seed;
}

export interface Person {
  id: number;
  name: string;
  email: string;
}

export const newName = (): string => `person_${randomInt(1e9)}`;

/** Creates a person with an account for one test. */
export async function newPerson({ seed }: Seedable): Promise<Person> {
  const name = newName();
  const id = await seed.person(name);
  return { id, name, email: `${name}@example.org` };
}

/** Posts of one author, each reported by two people. */
export async function seedReported(wall: Seedable, texts: readonly string[]) {
  const author = await newPerson(wall);
  const reporters = [await newPerson(wall), await newPerson(wall)];
  const ids = await wall.seed.posts(texts.map((text) => ({ by: author.id, text, age: 3_600 })));
  for (const id of ids) {
    await wall.seed.report(id, reporters[0]!.id, 'spam');
    await wall.seed.report(id, reporters[1]!.id, 'abuse');
  }
  return { author, reporters, ids };
}
