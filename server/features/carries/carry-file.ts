import { readFile } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { type CarriedWall, carriedType, carriedWallId } from '#contract/carried.ts';
import { escapeHtml } from '#contract/text-parts.ts';
import { shownName } from '#contract/username.ts';
import type { Schema } from '../../db/schema.ts';
import { shownColumns, shownNames } from '../../names/shown-names.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';
import { carryParts, type CarryRow } from './carry-store.ts';

const built = (name: string): Promise<string> =>
  readFile(new URL(`../../../dist/archive/${name}`, import.meta.url), 'utf8');

/** The page may load nothing: what it shows is in it. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/** The sign `<` begins a tag inside a script element, too. In JSON it may stand only in strings. */
const inScript = (json: string): string => json.replaceAll('<', String.raw`\u003c`);

type NamedWall = Pick<WallSettings, 'appName' | 'line' | 'mark' | 'publicUrl'>;

/** The file of a carried wall: one page that needs nothing else. */
export async function* carryFile(
  { appName: name, line, mark, publicUrl: address }: NamedWall,
  about: Pick<CarriedWall, 'at' | 'posts' | 'of'>,
  parts: AsyncIterable<string>,
): AsyncGenerator<string> {
  const wall: CarriedWall = { name, line: line ?? null, mark: mark ?? null, address, ...about };
  const [script, styles] = await Promise.all([built('archive.js'), built('archive.css')]);
  yield [
    '<!doctype html><html lang="ru" data-theme="light"><head><meta charset="utf-8"/>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<meta http-equiv="Content-Security-Policy" content="${policy}"/><meta name="referrer" content="no-referrer"/>`,
    `<title>${escapeHtml(name)}: архив</title><style>${styles}</style></head><body>`,
    '<noscript>Чтобы читать архив, включите JavaScript в браузере.</noscript><div id="root"></div>',
    `<script type="application/json" id="${carriedWallId}">${inScript(JSON.stringify(wall))}</script>`,
  ].join('');
  for await (const part of parts) yield `<script type="${carriedType}">${part}</script>`;
  yield `<script>${script.replaceAll('</script', String.raw`<\/script`)}</script></body></html>\n`;
}

/** The file of a made carry, as people download it. */
export async function fileOf(db: Kysely<Schema>, wall: NamedWall, carry: CarryRow) {
  const person =
    carry.of_id !== null &&
    (await db.selectFrom('users').select(shownColumns).where('id', '=', carry.of_id).executeTakeFirst());
  const of = person ? shownName(shownNames(person)) : null;
  const day = new Date(carry.made_at * 1_000).toISOString().slice(0, 10);
  return {
    filename: `stena-${day}.html`,
    content: carryFile(wall, { at: carry.made_at, posts: carry.done, of }, carryParts(db, carry.id)),
  };
}
