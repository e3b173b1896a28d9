import type { FastifyInstance } from 'fastify';
import packageJson from '../../../package.json' with { type: 'json' };
import { normalizeContact, normalizeWallLine, normalizeWallName } from '#contract/keep-settings.ts';
import * as schema from '#contract/keep.schema.ts';
import type { Keep, MailFinding } from '#contract/keep.ts';
import * as calls from '#contract/keep.ts';
import type { ProfileLine } from '#contract/profile-text.ts';
import { putSetting } from '../../db/wall-settings.ts';
import { ApiError } from '../../http/api-error.ts';
import { orNotFound } from '../../http/requests.ts';
import { serve } from '../../http/serve.ts';
import { findRecords, noServer, sendTrial } from '../../mail/check/findings.ts';
import { systemDns } from '../../mail/check/records.ts';
import { senderOf } from '../../mail/check/sender.ts';
import { lastBackup, lastCopyCheck } from '../../ops/backups.ts';
import { findCurrentUser } from '../account/store.ts';
import { makeActor } from '../moderation/desk/http.ts';
import { registrationMode } from '../moderation/invites.ts';
import { actRegistration, actSetting } from '../moderation/settings-acts.ts';
import { callerOf, type SessionOptions } from '../sessions/http.ts';
import type { WallTexts } from '../wall-texts/files.ts';
import { inviteTermKeys, reportLetters, type WallSettings } from '../wall-texts/wall-settings.ts';
import { diskOf, listKeepers, mailTrial, stepsTaken } from './store.ts';

interface KeepOptions extends Pick<SessionOptions, 'db' | 'config' | 'now'> {
  wall: WallSettings;
  wallTexts: WallTexts;
}

/** Owners see and set these things of their wall. */
export function keepRoutes(app: FastifyInstance, options: KeepOptions): void {
  const { db, config, wall, wallTexts, now } = options;
  const actor = makeActor(options);

  serve(app, calls.getKeep, schema.getKeep, show);

  serve(app, calls.putKeepSettings, schema.putKeepSettings, async ({ body, request }) => {
    const wanted = {
      name: accept(normalizeWallName(body.name)),
      line: accept(normalizeWallLine(body.line)),
      contact: accept(normalizeContact(body.contact)),
      readers: body.readers,
      gate_posts: String(body.gate_posts ?? wall.gate.posts),
      gate_hours: String(body.gate_hours ?? wall.gate.hours),
    };
    const { posts, hours } = wall.gate;
    const current = { ...settings(), gate_posts: String(posts), gate_hours: String(hours) };
    await db.tx(async (tx) => {
      const by = await actor.by(tx, { request, body: {} });
      for (const key of ['name', 'line', 'contact', 'readers', 'gate_posts', 'gate_hours'] as const) {
        if (wanted[key] !== current[key]) await actSetting(tx, key, wanted[key], by);
      }
      if (body.pace !== undefined && body.pace !== wall.pace) await actSetting(tx, 'pace', String(body.pace), by);
      if (body.report_letters !== undefined && body.report_letters !== wall.reportLetters) {
        await actSetting(tx, reportLetters, body.report_letters ? 'on' : 'off', by);
      }
      await actRegistration(tx, body.registration, by);
      for (const key of inviteTermKeys) {
        const { [key]: before } = wall.inviteTerms;
        const after = body.invite_terms?.[key] ?? before;
        if (after !== before) await actSetting(tx, key, String(after), by);
      }
    });
    await wall.reload();
    return show();
  });

  serve(app, calls.putKeepText, schema.putKeepText, async ({ params, body, request }) => {
    const { name, source } = textOf(params);
    const markdown = body.markdown?.trim() ? body.markdown.toWellFormed() : null;
    if (source === 'file')
      throw new ApiError('FORBIDDEN', { message: 'Этот текст — файл в PAGES_DIR. Измените его там.' });
    await db.tx(async (tx) => actSetting(tx, `${name}.md`, markdown, await actor.by(tx, { request, body: {} })));
    await wall.reload();
    return show();
  });

  serve(app, calls.previewKeepText, schema.previewKeepText, async ({ params, body }) => {
    if (body.markdown.trim() === '') throw new ApiError('INVALID_REQUEST', { message: 'Текст пуст.' });
    const { title, html } = wallTexts.preview(textOf(params).name, body.markdown.toWellFormed());
    return { title, html };
  });

  serve(app, calls.checkMail, schema.checkMail, async ({ request }) => {
    await db.tx((tx) => actor.by(tx, { request, body: {} }));
    const { email } = orNotFound(await findCurrentUser(db.read, callerOf(request).userId));
    if (config.smtpUrl === undefined) return { findings: [noServer] };
    const [found, trial] = await Promise.all([records(), sendTrial(config, email, wall.appName)]);
    if (trial.state === 'good') await db.tx((tx) => putSetting(tx, mailTrial, String(now())));
    return { findings: [...found, trial] };
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
    contact: wall.contact,
    readers: wall.readers,
    pace: wall.pace,
    report_letters: wall.reportLetters,
  });

  async function show(): Promise<Keep> {
    const [registration, keepers, steps, backup, check, disk] = await Promise.all([
      registrationMode(db.read),
      listKeepers(db.read),
      stepsTaken(db.read),
      lastBackup(db.read),
      lastCopyCheck(db.read),
      diskOf(config.dataDir),
    ]);
    const texts = wallTexts.sources();
    const rules = texts.some(({ name, source }) => name === 'rules' && source !== 'default');
    return {
      settings: { ...settings(), registration, gate_posts: wall.gate.posts, gate_hours: wall.gate.hours },
      invite_terms: wall.inviteTerms,
      texts,
      keepers,
      first_steps: { about: wall.line !== undefined, rules, ...steps },
      health: { version: packageJson.version, last_backup: backup === 0 ? null : backup, copy_check: check, disk },
    };
  }
}

function accept(line: ProfileLine): string {
  if (!line.ok) throw new ApiError('INVALID_REQUEST', { message: line.reason });
  return line.text ?? '';
}
