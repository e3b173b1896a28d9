import { openDatabase } from '../../server/db/open-database.ts';
import { newUser, signedIn } from '../kit/signed-in.ts';
import { feedPage } from '../measurements/paths.ts';
import { atLeast, type Figure } from '../measurements/report.ts';
import { Requests, weighted } from '../measurements/requests.ts';
import type { Servers } from '../measurements/servers.ts';
import { alternate, type Side, words } from './rounds.ts';
import type { Scenario } from './scenario.ts';

const posts = 100_000;

/** What the feed of a signed-in person asks for: its HTML with the cookie and the posts as that person sees them. */
export const closedWall: Scenario = {
  name: 'closed-wall',
  async measure({ servers, seconds }): Promise<Figure[]> {
    const sides: [Side, Side] = [await sideOf(servers, 'everyone'), await sideOf(servers, 'members')];
    const [open, closed] = await alternate(sides, seconds);
    const detail = `${words(closed)} against ${words(open)}`;
    return [
      atLeast('feed of a signed-in person on a closed wall', closed.perSecond / open.perSecond, 0.8, '× open', {
        detail,
      }),
    ];
  },
};

async function sideOf(servers: Servers, readers: 'everyone' | 'members'): Promise<Side> {
  const place = await servers.copy(posts);
  const db = await openDatabase(place, () => {});
  const { cookie, token } = await signedIn(db, await newUser(db, 'reader'));
  await db.tx((tx) =>
    tx.db
      .insertInto('wall_settings')
      .values({ key: 'readers', value: JSON.stringify(readers) })
      .execute(),
  );
  await db.close();
  const requests = weighted([
    { parts: 1, requests: new Requests(['/'], { cookie: `session=${cookie}`, 'accept-encoding': 'br' }) },
    { parts: 1, requests: new Requests([feedPage], { authorization: `Bearer ${token}` }) },
  ]);
  return { server: await servers.start(place), requests };
}
