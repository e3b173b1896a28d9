import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointOf } from '#contract/endpoint.ts';
import { isAboutPost, type KeeperActName, keeperActs } from '#contract/keeper-acts.ts';
import { admin } from '../../../test/kit/admin.ts';
import { engines } from '../../../test/kit/engines.ts';
import { enter } from '../../../test/kit/journeys/enter.ts';
import { openStory } from '../../../test/kit/journeys/open-story.ts';
import { CommandError } from '../../commands/admin/terminal.ts';
import { type Performed, perform } from './desk/perform.ts';
import { actCommands } from '../../commands/admin/acts.ts';

const ways = ['desk', 'form', 'command'] as const;
type Way = (typeof ways)[number];

/** The act that must have been carried out before another one. */
const before: Partial<Record<KeeperActName, Performed>> = {
  restore: 'remove',
  unlock: 'lock',
  pin: 'unpin',
  unpin: 'pin',
  unblock: 'block',
  'allow-inviting': 'end-inviting',
  'appoint-owner': 'appoint',
  'dismiss-moderator': 'appoint',
};

/** The body of the call besides the target and the reason. */
const bodies: Partial<Record<KeeperActName, object>> = {
  pace: { seconds: 300 },
  block: { remove_posts: true, days: 7 },
  unblock: { restore_posts: true },
  appoint: { owner: false },
};

const hasWay: Record<Way, (name: KeeperActName) => boolean> = {
  desk: (name) => keeperActs[name].call !== undefined,
  form: (name) => keeperActs[name].form !== undefined,
  command: (name) => actCommands.some((command) => command.name === name),
};

/** Acts that are not refused as done already. */
const repeatable = new Set<KeeperActName>(['close-sessions', 'approve']);

for (const engine of engines) {
  test(`every act of keepers is done at the desk, by its form and by its command, recorded, and undone, on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const { db, world } = wall;
    const { seed } = world;
    const browser = await enter(wall);
    await seed.appoint({ id: browser.id, name: 'anna_k' }, 'owner');
    const { token } = await seed.session(browser.id);
    const reporter = await seed.person('reporter');

    const call = async (method: string, path: string, body?: object, by = token) => {
      const response = await fetch(`${wall.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${by}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: await response.json().catch(() => null) };
    };
    const confirm = (until: number | null) =>
      db.tx((tx) => tx.db.updateTable('sessions').set({ moderation_until: until }).execute());
    const entries = () => db.read.selectFrom('operator_log').selectAll().orderBy('id').execute();
    const fresh = Math.floor(Date.now() / 1_000) + 600;

    let subjects = 0;
    async function prepare(name: KeeperActName) {
      const username = `person_${(subjects += 1)}`;
      const person = name === 'forget-imported' ? (await seed.imported(username)).id : await seed.person(username);
      const [post] = await seed.posts([{ by: person, text: `Запись ${subjects}` }]);
      const session = await seed.session(person);
      if (keeperActs[name].target === 'post') await seed.report(post!, reporter);
      let held: number | undefined;
      if (name === 'approve') {
        await seed.hold(person, 'Ждёт');
        held = (await db.read.selectFrom('pending_posts').select('id').executeTakeFirstOrThrow()).id;
      }
      const about = isAboutPost(name) ? (held ?? post!) : person;
      const by = { at: Math.floor(Date.now() / 1_000), operator: 'operator', reason: 'прежде' };
      const earlier = before[name];
      const given = { removePosts: true };
      if (earlier) await perform(db, async () => ({ act: earlier, id: about, by, given }));
      /** All that an act could change. */
      const state = async () =>
        JSON.stringify(
          await Promise.all([
            call('GET', `/posts/${post}`),
            call('GET', '/moderation/pin'),
            call('GET', `/moderation/people/${username}`),
            call('GET', `/moderation/people/${username}/branch`),
            call('GET', '/moderation/waiting'),
            name === 'close-sessions' && call('GET', '/users/current', undefined, session.token),
          ]),
          (key, value: unknown) => (['last_hour', 'at'].includes(key) ? '' : value),
        );
      return { id: about, of: isAboutPost(name) ? String(about) : username, state };
    }

    const carryOut: Record<Way, (name: KeeperActName, of: string) => Promise<unknown>> = {
      async desk(name, of) {
        const { call: key, needsCode } = keeperActs[name];
        const { method, path } = endpointOf(key!.path);
        const to = path.replace(/\{\w+\}/, of);
        const body = { ...(name !== 'approve' && { reason: 'Так' }), ...bodies[name] };
        const sent = name === 'approve' ? undefined : name === 'pin' ? { ...body, post_id: of, until: null } : body;
        if (needsCode) {
          await confirm(null);
          assert.equal((await call(method, to, sent)).json.code, 'CONFIRMATION_REQUIRED', name);
          await confirm(fresh);
        }
        const { status, json } = await call(method, to, sent);
        if (repeatable.has(name)) return json;
        assert.equal(status, 200, `${name}: ${JSON.stringify(json)}`);
        return json.act_id;
      },
      async form(name, of) {
        const { title, reasons, isSwift, done } = keeperActs[name].form!;
        await confirm(fresh);
        await browser.open(`/moderation/acts/${name}?of=${of}&next=/moderation/journal`);
        await (isSwift ? browser.send(reasons[0]!) : browser.send(title, { [reasons[0]!]: true }));
        const text = await browser.text();
        if (text.includes('Это уже сделано')) return null;
        assert.ok(text.includes(done), `${name}: ${text}`);
        return undefined;
      },
      async command(name, of) {
        try {
          return await admin(db, name, of, '--reason', 'Так');
        } catch (error) {
          if (error instanceof CommandError) return null;
          throw error;
        }
      },
    };

    for (const way of ways) {
      for (const name of (Object.keys(keeperActs) as KeeperActName[]).filter(hasWay[way])) {
        const { inverse, form, needsCode } = keeperActs[name];
        const step = `${name} by ${way}`;
        const { id, of, state } = await prepare(name);
        const [old, count] = [await state(), (await entries()).length];

        await carryOut[way](name, of);
        const done = (await entries()).slice(count);
        const [entry] = done;
        assert.deepEqual([entry?.action, entry?.moderator_id], [name, way === 'command' ? null : browser.id], step);
        assert.equal(entry!.reason, way === 'form' ? form!.reasons[0] : name === 'approve' ? '' : 'Так', step);
        assert.equal(entry!.target, name === 'approve' ? entry!.target : of, step);
        assert.notEqual(await state(), old, step);

        // The same act again, for instance by a second moderator, changes nothing.
        if (!repeatable.has(name)) {
          assert.equal(await carryOut[way](name, of), null, step);
          assert.equal((await entries()).length, count + done.length, step);
        }

        const { json } = await call('GET', '/moderation/journal?limit=50');
        const listed = json.acts.find((one: { id: string }) => one.id === String(entry!.id));
        assert.deepEqual([listed.action, listed.undo], [name, inverse !== undefined], step);
        const undo = () => call('POST', `/moderation/journal/${entry!.id}/undo`, { reason: 'Ошибка' });
        if (needsCode && inverse) {
          await confirm(null);
          assert.equal((await undo()).json.code, 'CONFIRMATION_REQUIRED', step);
          await confirm(fresh);
        }
        const undone = await undo();
        if (inverse === undefined) {
          assert.equal(undone.status, 403, step);
          continue;
        }
        const back = (await entries()).slice(count + done.length)[0]!;
        assert.deepEqual(
          [back.action, back.target_id, JSON.parse(back.details!).undoes],
          [inverse, id, entry!.id],
          step,
        );
        if (name !== 'restore') assert.equal(await state(), old, step);
        assert.equal((await undo()).json.act_id, null, step);
      }
    }
  });
}
