import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signIn } from '../door.ts';
import { feedPage } from '../paths.ts';
import { wallFolder } from '../servers/walls.ts';
import { againstRaw, posts } from './against-raw.ts';

/** The feed of somebody who likes some of it: their session is asked for at every request. */
export const signedInFeed = againstRaw({
  name: 'signed-in-feed',
  what: 'feed page of a signed-in person, JSON',
  atLeast: 0.3,
  paths: () => [feedPage],
  async headers(servers) {
    const { port } = await servers.app(posts);
    const email = likerOfTheNewest(await wallFolder(posts));
    return { authorization: `Bearer ${await signIn(port, await servers.mail(), email)}` };
  },
});

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
