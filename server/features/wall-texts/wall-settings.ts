import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { WallTextName } from '#contract/addresses.ts';
import { gateHours } from '#contract/keep-settings.ts';
import { type Config, contactOf } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

/** The texts that an operator or an owner may write. */
export type KeptTextName = Exclude<WallTextName, 'api'>;

/**
 * Keys of the table `wall_settings`. Values are JSON; without one, or with null, the setting of the environment is used, and
 * the program's own text.
 */
export type WallSetting = 'name' | 'line' | 'contact' | 'gate_posts' | 'gate_hours' | `${KeptTextName}.md`;
const texts = ['about.md', 'rules.md', 'privacy.md', 'consent.md'] as const;
const keys: readonly WallSetting[] = ['name', 'line', 'contact', 'gate_posts', 'gate_hours', ...texts];

/** The settings of the wall as they are now: those of the environment until an owner changes them. */
export interface WallSettings {
  readonly appName: string;
  /** One line about the wall; undefined: none. */
  readonly line: string | undefined;
  /** Where to write to those who keep the wall: a `mailto:` or `https:` URL. */
  readonly contact: string;
  /** The same, unless it is only the address that letters come from. */
  readonly ownContact: string | undefined;
  readonly publicUrl: string;
  /** How many first posts of a newcomer wait for a moderator, at most so many hours. */
  readonly gate: { posts: number; hours: number };
  /** The Markdown that an owner has written. */
  text(name: KeptTextName): string | undefined;
  /** Changes with every change of a setting. */
  version(): number;
  /** The listeners run before `reload` resolves. */
  onChange(listener: () => Promise<void>): void;
  /** Resolves when this process uses what is stored now. */
  reload(): Promise<void>;
}

type Stored = Partial<Record<WallSetting, string>>;

export async function readWallSettings(db: Kysely<Schema>): Promise<Stored> {
  const rows = await db.selectFrom('wall_settings').selectAll().where('key', 'in', keys).execute();
  const values = rows.map(({ key, value }) => [key, JSON.parse(value) as string | null] as const);
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
  db.onChange((changed) => {
    // While the storage is away, there is nothing new; its return is a change of everything.
    if (changed === 'everything' || changed.includes('wall')) reload().catch(() => {});
  });

  return {
    get appName() {
      return stored.name ?? config.appName;
    },
    get line() {
      return stored.line || undefined;
    },
    get contact() {
      return stored.contact ?? contactOf(config);
    },
    get ownContact() {
      return stored.contact ?? config.contact;
    },
    publicUrl: config.publicUrl,
    get gate() {
      return { posts: Number(stored.gate_posts ?? 0), hours: Number(stored.gate_hours ?? gateHours) };
    },
    text: (name) => stored[`${name}.md`],
    version: () => version,
    onChange: (listener) => void listeners.push(listener),
    reload,
  };
}
