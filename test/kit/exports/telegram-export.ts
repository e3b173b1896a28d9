import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { topics } from '../../../demo/corpus.ts';
import { Random } from '../../../demo/random.ts';

/**
 * The plan of a group's export in the format of Telegram Desktop 4.16 and 5.x. `isOld`: the format of 2.x in 2020, with numbers for
 * people and without `date_unixtime`. Each text begins with № and the number of its message.
 */
export interface ExportPlan {
  messages: number;
  people: number;
  seed: number;
  isOld?: boolean;
  /** Unix seconds of the first message. */
  from?: number;
}

type Message = Record<string, unknown> & { id: number };

const names = [
  'Аня',
  'Борис Щукин',
  'Вика 🌿',
  'Gregory',
  'Дмитрий Иванович',
  'Ева',
  'Жора',
  'Зоя \u202eК',
  'Иван',
  '王小明',
];
const words = [...new Set(JSON.stringify(topics).match(/[а-яё]{3,}/gu))];
const mediaVariants: ReadonlyArray<Record<string, unknown>> = [
  { photo: '(File not included. Change data exporting settings to download.)', width: 1280, height: 960 },
  { file: 'stickers/s.webp', media_type: 'sticker', sticker_emoji: '👍', width: 512, height: 512 },
  { file: 'voice_messages/audio_1.ogg', media_type: 'voice_message', mime_type: 'audio/ogg', duration_seconds: 4 },
  { file: 'round_video_messages/file_1.mp4', media_type: 'video_message', duration_seconds: 9 },
  { file: 'video_files/a.mp4', media_type: 'video_file', mime_type: 'video/mp4', duration_seconds: 19 },
  { file: 'files/смета.xlsx', mime_type: 'application/vnd.ms-excel' },
  { location_information: { latitude: 54.19, longitude: 37.61 } },
  {
    poll: {
      question: 'Красить забор?',
      closed: false,
      total_voters: 3,
      answers: [{ text: 'Да', voters: 3, chosen: true }],
    },
  },
];

/** The messages of an export, in the order of the file. */
function* telegramMessages({
  messages,
  people,
  seed,
  isOld = false,
  from = 1_600_000_000,
}: ExportPlan): Generator<Message> {
  const random = new Random(seed);
  const personId = (n: number) => (isOld ? 4_000_000_000 + n : `user${4_000_000_000 + n}`);
  const nameOf = (n: number) => (n < names.length ? names[n]! : `${names[n % names.length]} ${n}`);
  const sentence = (length: number) => Array.from({ length }, () => random.pick(words)).join(' ');
  let at = from;
  for (let id = 1; id <= messages; id += 1) {
    at += random.chance(0.1) ? 0 : Math.ceil(random.exponential(300));
    const author = Math.floor(people * random.next() ** 2);
    const date = new Date(at * 1_000).toISOString().slice(0, 19);
    const dates = isOld ? { date } : { date, date_unixtime: String(at) };
    if (random.chance(0.01)) {
      yield {
        id,
        type: 'service',
        ...dates,
        actor: nameOf(author),
        actor_id: personId(author),
        action: 'invite_members',
        members: [null],
        text: '',
        text_entities: [],
      };
      continue;
    }
    const isGone = random.chance(0.01);
    const message: Message = {
      id,
      type: 'message',
      ...dates,
      from: isGone ? null : nameOf(author),
      from_id: isGone ? personId(people + author) : personId(author),
    };
    if (id > 1 && random.chance(0.6))
      message['reply_to_message_id'] = Math.max(1, id - 1 - Math.floor(random.exponential(20)));
    // The replied message is missing: it was deleted, or was written before the group was moved.
    if (random.chance(0.01)) message['reply_to_message_id'] = messages + 1 + random.below(9);
    if (random.chance(0.02)) message['forwarded_from'] = random.chance(0.2) ? null : 'Городские новости';
    if (random.chance(0.1)) Object.assign(message, random.pick(mediaVariants));
    const text = `№${id} ${sentence(random.chance(0.005) ? 300 : 3 + random.below(20))}`;
    if (random.chance(0.3)) {
      const link = { type: 'text_link', text: 'сюда', href: 'https://example.org/a?b=1' };
      message['text'] = [
        text,
        ' ',
        { type: 'hashtag', text: '#двор' },
        ' ',
        random.chance(0.5) ? link : { type: 'bold', text: 'Важно "!" }],{' },
      ];
    } else if (id % 40 === 0) message['text_entities'] = [{ type: 'plain', text }];
    else message['text'] = text;
    if (random.chance(0.1)) {
      const recent = [{ from: nameOf(author), from_id: personId(author), date }];
      message['reactions'] = [
        { type: 'emoji', count: 2, emoji: '👍', recent },
        { type: 'emoji', count: 1, emoji: '👎', recent },
      ];
    }
    yield message;
  }
}

/** Writes an export of any size without holding it in memory. */
export async function writeTelegramExport(file: string, plan: ExportPlan): Promise<void> {
  function* text(): Generator<string> {
    yield `{\n "name": "Наш двор [\\"messages\\": []]",\n "type": "private_supergroup",\n "id": 1234567890,\n "messages": [\n`;
    let separator = '  ';
    let part = '';
    for (const message of telegramMessages(plan)) {
      part += separator + JSON.stringify(message, undefined, 1);
      separator = ',\n  ';
      if (part.length < 2 ** 16) continue;
      yield part;
      part = '';
    }
    yield `${part}\n ]\n}`;
  }
  await pipeline(Readable.from(text()), createWriteStream(file));
}
