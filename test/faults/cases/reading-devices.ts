import { createClient } from '#client/create-client.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import { count, sum } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { type ReceivedEvent, readEvents } from '../../kit/event-reader.ts';
import { newUser, type SignedIn, signedIn } from '../../kit/signed-in.ts';
import { type Extent, type Fault, onEachEngine, until, within } from '../fault.ts';
import { openWallOverHttp, type WallOverHttp } from '../kit/wall-over-http.ts';

const devices = 3;
const updates = { short: 600, whole: 10_000 };
/** Updates that one device has sent and has no response to yet. */
const together = 4;
const posts = 1_000;
const knownWithinMs = 2_000;

/** A person reads on three devices at once, through as many processes. */
export const readingDevices: Fault = {
  name: 'reading-devices',
  run: (extent) =>
    onEachEngine(async (engine) => {
      await using wall = await openWallOverHttp(engine, { RATE_LIMITS: 'off' });
      return await readAtOnce(wall, updates[extent], extent);
    }),
};

async function readAtOnce(wall: WallOverHttp, many: number, extent: Extent): Promise<Figure[]> {
  const { db, servers } = wall;
  const userId = await newUser(db, 'reader');
  const written = Array.from({ length: posts }, () => ({ user_id: userId, text: 'одна из многих', created_at: 1 }));
  const rows = await db.tx((tx) => tx.db.insertInto('all_posts').values(written).returning('id').execute());
  const ids = rows.map(({ id }) => id);

  const people = await Promise.all(Array.from({ length: devices }, () => signedIn(db, userId)));
  const own = people.map((person, i) => new Device(servers[i % servers.length]!.address, person));
  for (const device of own) await device.listen();
  const seen = { furthest: 0, back: 0 };
  await Promise.all(
    own.map(async (device) => {
      let left = Math.ceil(many / devices);
      const readOn = async (): Promise<void> => {
        while ((left -= 1) >= 0) {
          // Each device reads on, now and then somewhere further up.
          const read = 1 - (left * devices) / many;
          const postId = ids[Math.floor(Math.min(1, Math.max(0, read - Math.random() * 0.3)) * (posts - 1))]!;
          // Whatever any device knows before the request, the response must not be behind it.
          const known = Math.max(seen.furthest, postId);
          const furthest = await device.put(postId);
          if (furthest < known) seen.back += 1;
          seen.furthest = Math.max(seen.furthest, furthest);
        }
      };
      await Promise.all(Array.from({ length: together }, readOn));
    }),
  );
  const knownMs = await until(() => own.every(({ known }) => known === seen.furthest));
  const stored = await Promise.all(own.map((device) => device.get()));
  for (const device of own) device.close();

  const of = `${count(many)} updates by ${devices} devices, ${db.engine}`;
  const events = sum(own.map((device) => device.events));
  const back = seen.back + sum(own.map((device) => device.back));
  const enough = stored.every((position) => position === seen.furthest) && events >= devices;
  const detail = `${servers.length} processes, ${count(events)} events; at the end each device reads ${stored.join()}`;
  return [
    none(`positions that went back: ${of}`, back, 'went back', detail, { enough }),
    within(extent, `the last position known on every device: ${of}`, knownMs, knownWithinMs, 'after its response'),
  ];
}

/** A device with an open event stream. */
class Device {
  /** The last position reported. */
  known = 0;
  /** Events with a position. */
  events = 0;
  /** Events whose position was behind an earlier one. */
  back = 0;
  /** Closes the event stream. */
  close = (): void => {};
  #url: string;
  #token: string;
  #call: CallEndpoint;

  constructor(address: string, { token }: SignedIn) {
    this.#url = `${address}/api/v1/events`;
    this.#token = token;
    this.#call = createClient({ baseUrl: address, token });
  }

  async listen(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const stream = await readEvents(this.#url, headers, (event) => this.#note(event));
    this.close = stream.close;
    await stream.until((received) => received.length > 0);
  }

  #note({ changes }: ReceivedEvent): void {
    for (const { list, post_id } of changes.reading ?? []) {
      if (list !== 'feed') continue;
      this.events += 1;
      if (Number(post_id) < this.known) this.back += 1;
      this.known = Number(post_id);
    }
  }

  async put(postId: number): Promise<number> {
    const body = { list: 'feed', post_id: String(postId) } as const;
    return Number((await this.#call('PUT /users/current/reading', { body })).post_id);
  }

  async get(): Promise<number> {
    return Number((await this.#call('GET /users/current/reading', {})).feed);
  }
}
