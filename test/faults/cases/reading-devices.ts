import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#client/create-client.ts';
import type { CallEndpoint } from '#contract/endpoint.ts';
import { getReading, putReading } from '#contract/reading.ts';
import { count } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { type ReceivedEvent, readEvents } from '../../kit/event-reader.ts';
import { newUser, type SignedIn, signedIn } from '../../kit/signed-in.ts';
import { type Fault, limitOf, onEachEngine } from '../fault.ts';
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
      return await readAtOnce(wall, updates[extent], limitOf(extent, knownWithinMs));
    }),
};

async function readAtOnce(wall: WallOverHttp, many: number, underMs: number): Promise<Figure[]> {
  const { db, servers } = wall;
  const userId = await newUser(db, 'reader');
  const written = Array.from({ length: posts }, () => ({ user_id: userId, text: 'одна из многих', created_at: 1 }));
  const rows = await db.tx((tx) => tx.db.insertInto('posts').values(written).returning('id').execute());
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
  const from = performance.now();
  while (own.some(({ known }) => known !== seen.furthest) && performance.now() - from < 2 * underMs) await sleep(5);
  const knownMs = performance.now() - from;
  const stored = await Promise.all(own.map((device) => device.get()));
  for (const device of own) device.close();

  const of = `${count(many)} updates by ${devices} devices, ${db.engine}`;
  const events = own.reduce((total, device) => total + device.events, 0);
  return [
    none(
      `positions that went back: ${of}`,
      seen.back + own.reduce((total, device) => total + device.back, 0),
      'went back',
      `${servers.length} process${servers.length > 1 ? 'es' : ''}, ${count(events)} events to ${devices} streams; at the end each device reads ${stored.join(', ')}`,
      { enough: stored.every((position) => position === seen.furthest) && events >= devices },
    ),
    {
      what: `the last position known on every device: ${of}`,
      measured: `${Math.round(knownMs)} ms`,
      target: `< ${underMs} ms`,
      ok: knownMs < underMs,
      detail: 'after its response',
    },
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
  #address: string;
  #token: string;
  #call: CallEndpoint;
  #closing: Array<() => void> = [];

  constructor(address: string, { token }: SignedIn) {
    this.#address = address;
    this.#token = token;
    this.#call = createClient({ baseUrl: address, token });
  }

  async listen(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const stream = await readEvents(`${this.#address}/api/v1/events`, headers, (event) => this.#note(event));
    await stream.until((received) => received.length > 0);
    this.#closing.push(stream.close);
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
    const { post_id } = await this.#call(putReading, { body: { list: 'feed', post_id: String(postId) } });
    return Number(post_id);
  }

  async get(): Promise<number> {
    return Number((await this.#call(getReading, {})).feed);
  }

  close(): void {
    for (const close of this.#closing) close();
  }
}
