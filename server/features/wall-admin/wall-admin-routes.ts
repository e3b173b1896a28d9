import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import {
  normalizeContact,
  normalizeWallLine,
  normalizeWallMark,
  normalizeWallName,
} from '#contract/wall-setting-rules.ts';
import { type WallAdmin, type MailFinding, pictureSizes } from '#contract/wall-admin.ts';
import type { ProfileLine } from '#contract/profile-text.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { putSetting } from '../../db/wall-setting-rows.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { orNotFound, serve } from '../../http/serve.ts';
import { findRecords, noServer, senderOf, sendTrial, systemDns } from '../../mail/check/records.ts';
import type { WallHealth } from '../../ops/wall-health.ts';
import { refuseWhileUndoable } from '../account/own-codes-http.ts';
import { findCurrentUser } from '../account/account-store.ts';
import { shownColumns, shownNames } from '../../names/shown-names.ts';
import { makeActor } from '../moderation/desk/desk-http.ts';
import { registrationMode } from '../moderation/invites.ts';
import { actRegistration, actSetting } from '../moderation/settings-acts.ts';
import { callerOf, type SessionOptions } from '../sessions/session-http.ts';
import { showWaitingCodes } from '../sign-in/waiting-codes.ts';
import type { WallTexts } from '../wall-texts/operator-texts.ts';
import { findFirstSteps, hideFirstSteps } from './first-steps.ts';
import { pictureKeyOf, type WallSetting, type WallSettings } from '../wall-texts/wall-settings.ts';
import { version } from '../../version.ts';
import { lifeOf } from './life.ts';

/** Moderators and owners, the oldest accounts first. */
async function listKeepers(db: Kysely<Schema>): Promise<WallAdmin['keepers']> {
  const rows = await db
    .selectFrom('users')
    .select(['id', ...shownColumns, 'role'])
    .where('role', 'is not', null)
    .where(isNotDeleted('users'))
    .orderBy('id')
    .execute();
  return rows.map(({ id, role, ...names }) => ({ id: String(id), ...shownNames(names), role: role! }));
}

/** Settings that nobody changes with a session whose owner may be about to get the account back. */
const guarded = /^(readers|contact|invite_)/;

interface WallAdminOptions extends Pick<SessionOptions, 'db' | 'config' | 'secrets' | 'now'> {
  wall: WallSettings;
  wallTexts: WallTexts;
  health: WallHealth;
}

/** The page of the wall's settings, for owners. */
export function wallAdminRoutes(app: FastifyInstance, options: WallAdminOptions): void {
  const { db, config, secrets, wall, wallTexts, health, now } = options;
  const actor = makeActor(options);

  serve(app, 'GET /keep', show);

  const steps = async () => {
    const [found, mail] = await Promise.all([findFirstSteps(db.read, options), health.mail()]);
    return { ...found, mail };
  };
  serve(app, 'GET /keep/steps', steps);
  serve(app, 'PUT /keep/steps', async ({ body, request }) => {
    await db.tx(async (tx) => {
      await actor.by(tx, { request, body: {} });
      await hideFirstSteps(tx, body.is_hidden);
    });
    return steps();
  });

  serve(app, 'GET /keep/waiting-codes', async ({ request }) => {
    if (config.smtpUrl !== undefined) return { codes: [] };
    const { userId } = callerOf(request);
    return showWaitingCodes(db, { secrets, now: now(), userId, by: (tx) => actor.by(tx, { request, body: {} }) });
  });

  const life = lifeOf(db, now);
  serve(app, 'GET /keep/life', async ({ query: { days = '30' } }) => ({ days: await life(Number(days)) }));

  serve(app, 'PUT /keep/settings', async ({ body, request }) => {
    const { registration, invite_terms: terms, ...sent } = body;
    const wanted = toStored({
      ...sent,
      ...terms,
      name: accept(normalizeWallName, sent.name),
      line: accept(normalizeWallLine, sent.line),
      mark: accept(normalizeWallMark, sent.mark),
      // The contact of the environment is not stored.
      contact: sent.contact === settings().contact ? undefined : accept(normalizeContact, sent.contact),
    });
    const current = new Map(toStored({ ...settings(), ...wall.inviteTerms }));
    await db.tx(async (tx) => {
      const by = await actor.by(tx, { request, body: {} });
      const changed = wanted.filter(([key, value]) => value !== current.get(key));
      const isWhoComes = registration !== undefined && registration !== (await registrationMode(tx.db));
      if (isWhoComes || changed.some(([key]) => guarded.test(key)))
        await refuseWhileUndoable(tx, by.moderatorId!, by.at, 'Менять, кто читает, кто приходит и куда писать,');
      for (const [key, value] of changed) await actSetting(tx, key, value, by);
      if (registration !== undefined) await actRegistration(tx, registration, by);
    });
    await wall.reload();
    return show();
  });

  serve(app, 'PUT /keep/pictures', async ({ body: { of, share, icon }, request }) => {
    if (!isPng(share, pictureSizes.share) || !isPng(icon, pictureSizes.icon)) {
      throw new ApiError('INVALID_REQUEST', { message: 'Нужны картинки PNG своих размеров.' });
    }
    await db.tx(async (tx) => {
      await actor.by(tx, { request, body: {} });
      // Pictures with a former name are ignored. The browser then draws new ones.
      if (pictureKeyOf({ ...of, appName: of.name }) !== pictureKeyOf(wall)) return;
      const rows = [
        ['pictures_of', pictureKeyOf(wall)],
        ['share.png', share],
        ['icon.png', icon],
      ] as const;
      for (const [key, value] of rows) await putSetting(tx, key, JSON.stringify(value));
      tx.touch('wall');
    });
    await wall.reload();
    return show();
  });

  serve(app, 'PUT /keep/texts/{name}', async ({ params, body, request }) => {
    const { name, source } = textOf(params);
    const markdown = body.markdown?.trim() ? body.markdown.toWellFormed() : null;
    if (source === 'file')
      throw new ApiError('FORBIDDEN', { message: 'Этот текст — файл. Его меняет тот, кто ставил стену.' });
    await db.tx(async (tx) => {
      const by = await actor.by(tx, { request, body: {} });
      await refuseWhileUndoable(tx, by.moderatorId!, by.at, 'Менять тексты стены');
      await actSetting(tx, `${name}.md`, markdown, by);
    });
    await wall.reload();
    return show();
  });

  serve(app, 'POST /keep/texts/{name}/preview', async ({ params, body }) => {
    if (body.markdown.trim() === '') throw new ApiError('INVALID_REQUEST', { message: 'Текст пуст.' });
    const { title, html } = wallTexts.preview(textOf(params).name, body.markdown.toWellFormed());
    return { title, html };
  });

  serve(app, 'POST /keep/mail', async ({ request }) => {
    await db.tx((tx) => actor.by(tx, { request, body: {} }));
    const { email } = orNotFound(await findCurrentUser(db.read, callerOf(request).userId));
    if (config.smtpUrl === undefined) return { findings: [noServer] };
    const trial = sendTrial({ db, config, now: now() }, email, wall.appName);
    const [found, sent] = await Promise.all([records(), trial]);
    return { findings: [...found, sent] };
  });

  const textOf = (params: { name: string }) => orNotFound(wallTexts.sources().find(({ name }) => name === params.name));

  async function records(): Promise<MailFinding[]> {
    try {
      const dns = systemDns();
      return await findRecords(config, dns, await senderOf(config, dns));
    } catch (error) {
      return [{ check: 'DNS', state: 'unknown', text: (error as Error).message }];
    }
  }

  const settings = () => ({
    name: wall.appName,
    line: wall.line ?? '',
    mark: wall.mark ?? '',
    contact: wall.ownContact ?? '',
    readers: wall.readers,
    pace: wall.pace,
    report_letters: wall.reportLetters,
    letter_texts: wall.lettersHaveTexts,
    carry_others: wall.membersCarryOthers,
    carry_letters: wall.mailsFile,
    gate_posts: wall.gate.posts,
    gate_hours: wall.gate.hours,
  });

  async function show(): Promise<WallAdmin> {
    const [registration, keepers, firstSteps, mail, waiting, jobs, copies, disk] = await Promise.all([
      registrationMode(db.read),
      listKeepers(db.read),
      findFirstSteps(db.read, options),
      health.mail(),
      health.mailsWaiting(),
      health.jobsFailing(),
      health.copies(),
      health.disk(),
    ]);
    const { areFailing, failed, reason } = health.writes();
    return {
      settings: { ...settings(), registration },
      pictures: wall.pictures !== undefined,
      invite_terms: wall.inviteTerms,
      texts: wallTexts.sources(),
      keepers,
      first_steps: firstSteps,
      health: {
        version,
        last_backup: copies.last || null,
        copy_check: copies.check,
        disk,
        mails_waiting: { count: waiting.count, oldest_seconds: waiting.oldestSeconds },
        jobs_failing: jobs.filter(({ count }) => count > 0),
        out_of_files_at: health.outOfFilesAt(),
        writes: { are_failing: areFailing, failed, reason },
      },
      mail,
    };
  }
}

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const pngEnd = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1');

/** Whether the bytes begin like a PNG picture of this size and end like one. What is between is not checked. */
function isPng(base64: string, { width, height }: { width: number; height: number }): boolean {
  const bytes = Buffer.from(base64, 'base64');
  return (
    bytes.subarray(0, 16).equals(pngStart) &&
    bytes.subarray(-12).equals(pngEnd) &&
    bytes.readUInt32BE(16) === width &&
    bytes.readUInt32BE(20) === height
  );
}

type Sent = { [key in WallSetting]?: string | number | boolean | undefined };

/** The settings that are given, with their values as they are stored. */
const toStored = (values: Sent): Array<[WallSetting, string]> =>
  (Object.entries(values) as Array<[WallSetting, Sent[WallSetting]]>)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)]);

function accept(normalize: (text: string) => ProfileLine, text: string | undefined): string | undefined {
  const line = text === undefined ? undefined : normalize(text);
  if (line?.ok === false) throw new ApiError('INVALID_REQUEST', { message: line.reason });
  return line && (line.text ?? '');
}
