import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signIn } from '../door.ts';
import { standing } from '../format.ts';
import { Requests } from '../load/requests.ts';
import { takeTurns } from '../load/take-turns.ts';
import { feedPage } from '../paths.ts';
import type { Scenario } from '../scenario.ts';
import { wallFolder } from '../servers/walls.ts';

const posts = 100_000;
const atLeast = 0.3;

/** The feed of somebody who likes some of it: their session is asked for at every request. */
export const signedInFeed: Scenario = {
  name: 'signed-in-feed',
  async measure({ servers, seconds }) {
    const app = await servers.app(posts);
    const token = await signIn(app.port, await servers.mail(), likerOfTheNewest(await wallFolder(posts)));
    const headers = { authorization: `Bearer ${token}` };
    const requests = new Requests(1, () => feedPage, headers);
    const raw = await servers.raw(app, [feedPage], headers);
    const [bare, ours] = await takeTurns(
      [
        { server: raw, requests },
        { server: app, requests },
      ],
      seconds,
    );
    await raw.stop();
    const ratio = ours.perSecond / bare.perSecond;
    return [
      {
        what: 'feed page of a signed-in person, JSON',
        measured: `${ratio.toFixed(2)} × raw`,
        target: `≥ ${atLeast} × raw`,
        ok: ratio >= atLeast,
        detail: `${standing(ours)}; raw ${standing(bare)}`,
      },
    ];
  },
};

/** Whoever likes most of the newest ten root posts. */
function likerOfTheNewest(folder: string): string {
  const database = new DatabaseSync(join(folder, 'stena.sqlite'), { readOnly: true });
  const row = database
    .prepare(
      `select email from likes join users on users.id = likes.user_id
       where post_id in (select id from posts where replied_post_id is null order by id desc limit 10)
       group by email order by count(*) desc, email limit 1`,
    )
    .get();
  database.close();
  return String(row?.['email'] ?? 'nobody@example.org');
}
