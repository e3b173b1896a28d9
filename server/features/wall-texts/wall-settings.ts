import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { WallTextName } from '#contract/addresses.ts';
import type { Readers } from '#contract/wall-admin.ts';
import { wallPaces } from '#contract/reply-rules.ts';
import { gateHours } from '#contract/wall-setting-rules.ts';
import { type Config, contactOf } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

/** The texts that an operator or an owner may write. */
export type StoredTextName = Exclude<WallTextName, 'api'>;

/** Key: whether keepers get letters about open reports, `on` or `off`. */
export const reportLetters = 'report_letters';
const letterTexts = 'letter_texts';
const carryOthers = 'carry_others';
/** Key: whether letters bring the file of the wall once a month, `on` or `off`. */
export const carryLetters = 'carry_letters';

/** Members may invite after these numbers of days and posts, with this number of links in 30 days. */
export interface InviteTerms {
  invite_days: number;
  invite_posts: number;
  invite_links: number;
}

const firstTerms: InviteTerms = { invite_days: 14, invite_posts: 5, invite_links: 3 };
const inviteTermKeys = Object.keys(firstTerms) as Array<keyof InviteTerms>;

/** The mode of registration. Its row is the mode itself, and not JSON. */
export const registrationModes = ['open', 'members', 'invite', 'closed'] as const;
export type RegistrationMode = (typeof registrationModes)[number];
export const registrationKey = 'registration';

/** An unknown mode closes the registration, as unknown readers close the wall. */
export const asRegistrationMode = (stored: string | undefined): RegistrationMode =>
  stored === undefined ? 'open' : (registrationModes.find((mode) => mode === stored) ?? 'closed');

/**
 * Keys of the table `wall_settings` for the settings that owners change. Values are JSON. Without a value, or with null, the name
 * and the contact come from the environment, and the others from the program.
 */
const keys = [
  'name',
  'line',
  'mark',
  'pictures_of',
  'share.png',
  'icon.png',
  'contact',
  'readers',
  'pace',
  reportLetters,
  letterTexts,
  carryOthers,
  carryLetters,
  'about.md',
  'rules.md',
  'privacy.md',
  'consent.md',
  'gate_posts',
  'gate_hours',
  ...inviteTermKeys,
  registrationKey,
] as const;

export type WallSetting = Exclude<(typeof keys)[number], typeof registrationKey>;

/** A failed read of the settings is repeated after this time: the wall may just have been closed. */
const againMs = 500;

/** The current settings of the wall. Until an owner changes a setting, it comes from the environment or the program. */
export interface WallSettings {
  readonly appName: string;
  /** One line about the wall; undefined: none. */
  readonly line: string | undefined;
  /** The emoji that stands for the wall; undefined: a picture of bricks. */
  readonly mark: string | undefined;
  /** PNG in base64 with the present name, line and mark, if an owner's browser has drawn them. */
  readonly pictures: { share: string; icon: string; version: string } | undefined;
  /** The address of the wall's keepers: a `mailto:` or `https:` URL. */
  readonly contact: string;
  /** `contact`; undefined if it is an address at localhost, where nobody reads mail. */
  readonly shownContact: string | undefined;
  /** The contact that an owner or operator has set; undefined if `contact` is only the sender's address of letters. */
  readonly ownContact: string | undefined;
  readonly readers: Readers;
  /** Seconds between two replies of a person on the whole wall; 0: no rule. */
  readonly pace: (typeof wallPaces)[number];
  readonly reportLetters: boolean;
  /** Whether letters of a closed wall contain posts. */
  readonly lettersHaveTexts: boolean;
  /** Whether the files that members take have the posts of others. */
  readonly membersCarryOthers: boolean;
  /** Whether people may have the file of the wall sent to them once a month. */
  readonly mailsFile: boolean;
  readonly publicUrl: string;
  readonly registration: RegistrationMode;
  readonly inviteTerms: InviteTerms;
  /** The first `posts` posts of a newcomer are pending until a moderator decides, or for `hours`. */
  readonly gate: { posts: number; hours: number };
  /** The Markdown that an owner has written. */
  text(name: StoredTextName): string | undefined;
  /** Changes with every change of a setting. */
  version(): number;
  /** The listeners run before `reload` resolves. */
  onChange(listener: () => Promise<void>): void;
  /** Resolves when this process uses what is stored now. */
  reload(): Promise<void>;
}

/** Identifies what a picture of the wall shows, to detect an outdated picture. */
export const pictureKeyOf = ({ appName, line, mark }: Pick<WallSettings, 'appName' | 'line' | 'mark'>): string =>
  JSON.stringify([appName, line ?? '', mark ?? '']);

type Stored = Partial<Record<(typeof keys)[number], string>>;

export async function readWallSettings(db: Kysely<Schema>): Promise<Stored> {
  const rows = await db.selectFrom('wall_settings').selectAll().where('key', 'in', keys).execute();
  const values = rows.map(
    ({ key, value }) => [key, key === registrationKey ? value : (JSON.parse(value) as string | null)] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** Reads the settings, and again whenever some process has written them. */
export async function openWallSettings(db: Database, config: Config): Promise<WallSettings> {
  let stored = await readWallSettings(db.read);
  let version = 0;
  const listeners: Array<() => Promise<void>> = [];
  let reloading = Promise.resolve();

  async function readAnew(): Promise<void> {
    const found = await readWallSettings(db.read);
    if (isDeepStrictEqual(found, stored)) return;
    stored = found;
    version += 1;
    for (const listener of listeners) await listener();
  }
  const reload = () => (reloading = reloading.catch(() => {}).then(readAnew));
  const reloadAgain = (): void => void reload().catch(() => setTimeout(reloadAgain, againMs).unref());
  db.onChange((changed) => {
    if (changed === 'everything' || changed.includes('wall')) reloadAgain();
  });

  const settings: WallSettings = {
    get appName() {
      return stored.name ?? config.appName;
    },
    get line() {
      return stored.line || undefined;
    },
    get mark() {
      return stored.mark || undefined;
    },
    get pictures() {
      const { pictures_of: of, 'share.png': share, 'icon.png': icon } = stored;
      if (of !== pictureKeyOf(settings) || share === undefined || icon === undefined) return undefined;
      return { share, icon, version: hash('sha1', of).slice(0, 8) };
    },
    get contact() {
      return stored.contact ?? contactOf(config);
    },
    get shownContact() {
      return settings.contact.endsWith('@localhost') ? undefined : settings.contact;
    },
    get ownContact() {
      return stored.contact ?? config.contact;
    },
    get readers() {
      return stored.readers === undefined || stored.readers === 'everyone' ? 'everyone' : 'members';
    },
    get pace() {
      return wallPaces.find((pace) => String(pace) === stored.pace) ?? 0;
    },
    get reportLetters() {
      return stored[reportLetters] !== 'off';
    },
    get lettersHaveTexts() {
      return stored[letterTexts] === 'on';
    },
    get membersCarryOthers() {
      return stored[carryOthers] !== 'off';
    },
    get mailsFile() {
      return stored[carryLetters] === 'on';
    },
    publicUrl: config.publicUrl,
    get registration() {
      return asRegistrationMode(stored.registration);
    },
    get inviteTerms() {
      const termOf = (key: keyof InviteTerms) => Number(stored[key] ?? firstTerms[key]);
      return {
        invite_days: termOf('invite_days'),
        invite_posts: termOf('invite_posts'),
        invite_links: termOf('invite_links'),
      };
    },
    get gate() {
      return { posts: Number(stored.gate_posts ?? 0), hours: Number(stored.gate_hours ?? gateHours) };
    },
    text: (name) => stored[`${name}.md`],
    version: () => version,
    onChange: (listener) => void listeners.push(listener),
    reload,
  };
  return settings;
}
