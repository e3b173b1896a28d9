import { type SourceItem, type SourceLike, type SourcePerson, WrongFile } from './source.ts';
import { elementsOf, parsed } from './split-bytes.ts';

// Reads the export of one chat by Telegram Desktop as machine-readable JSON: https://core.telegram.org/import-export. Fields were
// added and changed over the years, so each field is checked.

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The key of a person: a number in exports before 2021, later `user123` or `channel123`. */
const keyIn = (value: unknown): string | undefined => (typeof value === 'number' ? `user${value}` : textIn(value));

export async function* readTelegram(chunks: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
  const values = elementsOf(chunks, 'messages');
  const head = parsed((await values.next()).value as Buffer);
  if (!isFields(head))
    throw new WrongFile('Это не JSON из Telegram Desktop: выберите при экспорте «Машиночитаемый JSON».');
  const chat: SourcePerson = { key: 'chat', name: textIn(head['name']) };
  for await (const bytes of values) yield bytes === null ? { skipped: 'больше 4 МБ' } : itemOf(parsed(bytes), chat);
}

function itemOf(message: unknown, chat: SourcePerson): SourceItem {
  if (!isFields(message)) return { skipped: 'не разобрать' };
  if (message['type'] === 'service') return { skipped: 'служебные сообщения' };
  const { id } = message;
  const at = timeOf(message);
  if (typeof id !== 'number' || message['type'] !== 'message' || at === undefined) return { skipped: 'не разобрать' };
  const author = personOf(message) ?? chat;
  const media = mediaOf(message);
  const forwarded = forwardedLine(message, author);
  const written = plainText(message['text']) || plainText(message['text_entities']);
  const text = [forwarded, written, pollText(message['poll']), ...media.map((name) => `[${name}]`)];
  const { reply_to_message_id: replied, reply_to_peer_id: elsewhere } = message;
  return {
    id: String(id),
    author,
    at,
    text: text.filter((line) => line !== undefined && line !== '').join('\n'),
    replyTo: typeof replied === 'number' && elsewhere === undefined ? String(replied) : null,
    likes: likesOf(message['reactions']),
    media: [...media, ...(forwarded === undefined ? [] : ['переслано'])],
  };
}

/** Old exports have only the local time of the exporting computer. It is read in the time zone of this computer. */
function timeOf({ date_unixtime: unix, date }: Fields): number | undefined {
  const seconds = unix === undefined ? Date.parse(String(date)) / 1_000 : Number(unix);
  return Number.isFinite(seconds) ? Math.floor(seconds) : undefined;
}

/** A deleted account has an id and no name. */
function personOf({ from, from_id: fromId }: Fields): SourcePerson | undefined {
  const name = textIn(from);
  const key = keyIn(fromId) ?? (name === undefined ? undefined : `name ${name}`);
  return key === undefined ? undefined : { key, name: name ?? 'Удалённый аккаунт' };
}

/** The value is a text, or a list of texts and entities: `{ type, text, href? }`. */
function plainText(text: unknown): string {
  if (typeof text === 'string') return text;
  return listIn(text)
    .map((part) => (isFields(part) ? entityText(part) : (textIn(part) ?? '')))
    .join('');
}

function entityText({ type, text, href }: Fields): string {
  const shown = textIn(text) ?? '';
  if (type === 'blockquote') return shown.replaceAll(/^/gm, '> ');
  const address = textIn(href);
  return address === undefined || address === shown ? shown : `${shown} (${address})`;
}

/** A line about the origin of a forwarded message; none for posts that Telegram forwards from a channel to the channel's group. */
function forwardedLine(message: Fields, { name }: SourcePerson): string | undefined {
  if (!('forwarded_from' in message)) return undefined;
  const from = textIn(message['forwarded_from']);
  if (from === name) return undefined;
  return from === undefined ? '[переслано]' : `[переслано: ${from}]`;
}

const mediaTypes: Readonly<Record<string, string>> = {
  sticker: 'стикер',
  voice_message: 'голосовое сообщение',
  video_message: 'видеосообщение',
  video_file: 'видео',
  audio_file: 'аудио',
  animation: 'гифка',
};

const mediaFields: Readonly<Record<string, string>> = {
  photo: 'фото',
  location_information: 'место на карте',
  contact_information: 'контакт',
  poll: 'опрос',
  todo_list: 'список дел',
  game_title: 'игра',
  invoice_information: 'счёт',
  giveaway_information: 'розыгрыш',
};

function mediaOf(message: Fields): string[] {
  const found = Object.keys(mediaFields).filter((field) => field in message);
  const type = textIn(message['media_type']);
  const file = type === undefined ? 'файл' : (mediaTypes[type] ?? 'файл');
  return [...(type !== undefined || 'file' in message ? [file] : []), ...found.map((field) => mediaFields[field]!)];
}

function pollText(poll: unknown): string | undefined {
  if (!isFields(poll)) return undefined;
  const answers = listIn(poll['answers']).filter(isFields);
  return [plainText(poll['question']), ...answers.map(({ text }) => `— ${plainText(text)}`)].join('\n');
}

/** Reactions that count as likes. The export names only the latest people (`recent`) who have given a reaction. */
const approving = new Set('👍 ❤ ❤️ 🔥 🥰 👏 😁 🎉 🤩 🙏 👌 💯 😍 🤗 🏆 ❤‍🔥'.split(' '));

function likesOf(reactions: unknown): SourceLike[] {
  return listIn(reactions)
    .filter(isFields)
    .filter(({ emoji }) => approving.has(String(emoji)))
    .flatMap(({ recent }) => listIn(recent).filter(isFields))
    .flatMap((given) => {
      const person = personOf(given);
      return person ? [{ ...person, at: timeOf(given) }] : [];
    });
}
