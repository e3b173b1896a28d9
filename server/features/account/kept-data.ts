import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ExportedData, KeptData } from '#contract/account.ts';
import { acts } from '#contract/moderation-acts.ts';
import type { Schema } from '../../db/schema.ts';

/** Rows of a person in one table. */
interface Rows {
  in: keyof Schema;
  /** The column with the person; `user_id` unless set. */
  whose?: string;
  /** Which value of the person stands in that column; `id` unless set. */
  by?: 'id' | 'email';
  /** The column with the time that is shown. */
  at?: string;
  /** Which end of an index holds the first and the last time; `at` unless set. */
  order?: string;
  only?: RawBuilder<boolean>;
  /** The columns in the file with the person's data. Without them the file has a section of its own for these rows. */
  columns?: readonly string[];
}

type Kept = Pick<KeptData, 'section' | 'title' | 'about' | 'kept_until'> & {
  /** The tables that it is about. */
  tables: readonly (keyof Schema)[];
  /** Undefined: the rows do not name the person, so they cannot be counted. */
  rows?: Rows;
};

const untilAccount = 'до удаления учётной записи';
const forever = 'без срока';
const isRoot = sql<boolean>`replied_post_id is null`;
const isReply = sql<boolean>`replied_post_id is not null`;
const isByMember = sql<boolean>`by_member = 1`;
/** Other entries have the number of a post as their target. */
const isAboutPerson = sql<boolean>`action in (${sql.join(Object.keys(acts).filter((name) => acts[name]!.target === 'person'))})`;

/** Everything that is kept about a person. A test compares its tables with the schema. */
export const keptData: readonly Kept[] = [
  {
    section: 'Учётная запись',
    title: 'Адрес, имя и настройки',
    about:
      'адрес почты, имена, строка о себе, счётчики, выбранные уведомления, кто пригласил, блокировка и предупреждение',
    kept_until: 'до удаления; имя пользователя — всегда, чтобы его не занял другой',
    tables: ['users'],
    rows: {
      in: 'users',
      whose: 'id',
      at: 'created_at',
      columns: [
        'posts_count',
        'replies_count',
        'likes_count',
        'invited_by',
        'invites_ended_at',
        'blocked_at',
        'block_reason',
        'blocked_until',
        'warning',
      ],
    },
  },
  {
    section: 'Учётная запись',
    title: 'Прежние имена',
    about: 'по ним ещё работают ссылки на вас',
    kept_until: '30 дней после смены',
    tables: ['left_usernames'],
    rows: { in: 'left_usernames', at: 'left_at', columns: ['username_key', 'left_at'] },
  },
  {
    section: 'Учётная запись',
    title: 'Смены адреса почты',
    about: 'прежний и новый адрес',
    kept_until: 'пока смену можно отменить и ещё 30 дней',
    tables: ['email_changes'],
    rows: { in: 'email_changes', at: 'created_at', columns: ['email', 'new_email', 'created_at', 'used_at'] },
  },
  {
    section: 'Учётная запись',
    title: 'Приглашения',
    about: 'ссылки, которые сделали вы, и кто по ним пришёл',
    kept_until: forever,
    tables: ['invites'],
    rows: { in: 'invites', whose: 'made_by', at: 'created_at', order: 'id', only: isByMember },
  },
  {
    section: 'Учётная запись',
    title: 'Согласия',
    about: 'на какой текст вы согласились и когда',
    kept_until: 'три года после удаления учётной записи',
    tables: ['consents'],
    rows: { in: 'consents', at: 'at' },
  },
  {
    section: 'Что вы пишете и отмечаете',
    title: 'Записи',
    about: 'текст, время, слова для поиска, открыта ли запись всем',
    kept_until: 'пока вы их не удалите',
    tables: ['posts', 'post_words', 'shared_posts'],
    rows: { in: 'posts', at: 'created_at', order: 'id', only: isRoot },
  },
  {
    section: 'Что вы пишете и отмечаете',
    title: 'Ответы',
    about: 'текст, время, последний ли ответ в обсуждении и поднял ли его',
    kept_until: 'пока вы их не удалите',
    tables: ['posts', 'discussions', 'lifts'],
    rows: { in: 'posts', at: 'created_at', order: 'id', only: isReply },
  },
  {
    section: 'Что вы пишете и отмечаете',
    title: 'Отметки «Нравится»',
    about: 'что вам понравилось; другие видят только число',
    kept_until: 'пока вы их не снимете',
    tables: ['likes'],
    rows: { in: 'likes', at: 'created_at', order: 'id' },
  },
  {
    section: 'Что вы пишете и отмечаете',
    title: 'Записи, которых нет на стене',
    about: 'удалённые вами и убранные модераторами, с отметками и уведомлениями',
    kept_until: 'удалённые вами — пять минут, убранные — пока вы не удалите их',
    tables: ['removed_posts', 'removed_likes', 'removed_notifications'],
    rows: { in: 'removed_posts', at: 'removed_at' },
  },
  {
    section: 'Что вы пишете и отмечаете',
    title: 'Записи, которые ждут проверки',
    about: 'видите их только вы и модераторы',
    kept_until: 'до проверки, самое долгое двое суток',
    tables: ['pending_posts'],
    rows: { in: 'pending_posts', at: 'created_at' },
  },
  {
    section: 'Что вы читаете',
    title: 'Уведомления',
    about: 'кто и где вам ответил',
    kept_until: untilAccount,
    tables: ['notifications'],
    rows: { in: 'notifications', columns: ['post_id', 'kind'] },
  },
  {
    section: 'Что вы читаете',
    title: 'Обсуждения, за которыми вы следите',
    about: 'и те, за которыми отказались следить',
    kept_until: 'не дольше дня после самого обсуждения',
    tables: ['follows'],
    rows: { in: 'follows' },
  },
  {
    section: 'Что вы читаете',
    title: 'Сохранённое',
    about: 'что вы отложили для себя',
    kept_until: untilAccount,
    tables: ['bookmarks'],
    rows: { in: 'bookmarks', at: 'created_at', order: 'id' },
  },
  {
    section: 'Что вы читаете',
    title: 'Скрытые авторы',
    about: 'они об этом не знают',
    kept_until: untilAccount,
    tables: ['mutes'],
    rows: { in: 'mutes', at: 'created_at', columns: ['muted_id', 'created_at'] },
  },
  {
    section: 'Что вы читаете',
    title: 'Прочитанное',
    about: 'докуда вы дочитали ленту и обсуждения',
    kept_until: untilAccount,
    tables: ['reading_positions'],
    rows: { in: 'reading_positions', at: 'updated_at' },
  },
  {
    section: 'Вход и защита',
    title: 'Сеансы',
    about: 'браузер, система, отпечаток устройства, время входа и последнего посещения',
    kept_until: '90 дней без посещений, самое долгое год',
    tables: ['sessions'],
    rows: {
      in: 'sessions',
      at: 'created_at',
      columns: ['device', 'client_token', 'created_at', 'last_active_at', 'moderation_until'],
    },
  },
  {
    section: 'Вход и защита',
    title: 'Знакомые браузеры',
    about: 'чтобы предупредить о входе с нового',
    kept_until: '400 дней с последнего входа',
    tables: ['known_devices'],
    rows: { in: 'known_devices', at: 'last_used_at', columns: ['last_used_at'] },
  },
  {
    section: 'Вход и защита',
    title: 'Токены для программ',
    about: 'название, право и время; сам токен прочитать нельзя',
    kept_until: 'год без использования',
    tables: ['program_tokens'],
    rows: { in: 'program_tokens', at: 'created_at' },
  },
  {
    section: 'Вход и защита',
    title: 'Запрошенные коды',
    about: 'адрес, отпечаток устройства и код, который нельзя прочитать',
    kept_until: 'несколько минут',
    tables: ['operations'],
    rows: {
      in: 'operations',
      whose: 'email',
      by: 'email',
      at: 'created_at',
      columns: ['purpose', 'email', 'client_token', 'device', 'created_at', 'expires_at'],
    },
  },
  {
    section: 'Вход и защита',
    title: 'Письма в пути',
    about: 'адрес и зашифрованный текст',
    kept_until: 'до доставки, самое долгое сутки и час',
    tables: ['outbox'],
    rows: { in: 'outbox', whose: 'recipient', by: 'email', columns: ['recipient', 'state', 'attempts', 'give_up_at'] },
  },
  {
    section: 'Порядок на стене',
    title: 'Ваши жалобы',
    about: 'на какую запись и почему; её текст в жалобе видят только модераторы',
    kept_until: forever,
    tables: ['reports'],
    rows: {
      in: 'reports',
      at: 'created_at',
      order: 'id',
      // Not the text: the author may have deleted it since.
      columns: ['post_id', 'reason_id', 'comment', 'created_at', 'settled_at'],
    },
  },
  {
    section: 'Порядок на стене',
    title: 'Жалобы на вас',
    about: 'с текстом записи; сколько их и от кого, знают только модераторы: иначе жаловаться было бы опасно',
    kept_until: forever,
    tables: ['reports'],
  },
  {
    section: 'Порядок на стене',
    title: 'Решения о вас',
    about: 'что решили модераторы, с причиной и временем',
    kept_until: forever,
    tables: ['operator_log'],
    rows: {
      in: 'operator_log',
      whose: 'target_id',
      at: 'at',
      order: 'id',
      only: isAboutPerson,
      columns: ['at', 'action', 'reason'],
    },
  },
  {
    section: 'Порядок на стене',
    title: 'Ваши решения модератора',
    about: 'журнал того, что вы сделали',
    kept_until: forever,
    tables: ['operator_log'],
    rows: {
      in: 'operator_log',
      whose: 'moderator_id',
      at: 'at',
      order: 'id',
      columns: ['at', 'action', 'target', 'reason'],
    },
  },
  {
    section: 'Что стирается само',
    title: 'Счётчики запросов',
    about: 'сколько раз запрашивали код, публиковали и так далее',
    kept_until: 'не дольше суток',
    tables: ['budgets'],
  },
  {
    section: 'Что стирается само',
    title: 'Ключи отправленных записей',
    about: 'чтобы ничего не опубликовалось дважды',
    kept_until: 'сутки',
    tables: ['idempotency_keys'],
  },
  {
    section: 'Что стирается само',
    title: 'Номера изменённых записей',
    about: 'чтобы открытые страницы обновлялись сами',
    kept_until: 'час',
    tables: ['changes', 'announcements'],
  },
  {
    section: 'Что стирается само',
    title: 'Отложенные дела',
    about: 'например, удаление учётной записи',
    kept_until: 'пока не сделаны',
    tables: ['jobs'],
  },
];

type Person = Record<'id' | 'email', number | string>;

const whoseRows = ({ in: table, whose = 'user_id', by = 'id', only }: Rows, person: Person) =>
  sql`from ${sql.table(table)} where ${sql.ref(whose)} = ${person[by]}${only === undefined ? sql`` : sql` and ${only}`}`;

type Counted = Pick<KeptData, 'count' | 'first_at' | 'last_at'>;

async function count(db: Kysely<Schema>, rows: Rows | undefined, person: Person): Promise<Counted> {
  if (rows === undefined) return { count: null, first_at: null, last_at: null };
  const { at, order = at } = rows;
  const theirs = whoseRows(rows, person);
  const edge = (way: 'asc' | 'desc') =>
    at === undefined
      ? sql`null`
      : sql`(select ${sql.ref(at)} ${theirs} order by ${sql.ref(order!)} ${sql.raw(way)} limit 1)`;
  const counted = sql<Counted>`select (select count(*) ${theirs}) as count, ${edge('asc')} as first_at, ${edge('desc')} as last_at`;
  return (await counted.execute(db)).rows[0]!;
}

/** What is kept about a person. With `withRows` also the rows that have no other section in the file with their data. */
export async function listKeptData(db: Kysely<Schema>, person: Person, withRows = false): Promise<ExportedData[]> {
  const listed: ExportedData[] = [];
  for (const { tables: _, rows, ...words } of keptData) {
    const kept = { ...words, ...(await count(db, rows, person)) };
    listed.push(withRows && rows?.columns ? { ...kept, rows: await read(db, rows, person) } : kept);
  }
  return listed;
}

async function read(db: Kysely<Schema>, rows: Rows, person: Person): Promise<Record<string, unknown>[]> {
  const columns = sql.join(rows.columns!.map((column) => sql.ref(column)));
  const found = await sql<Record<string, unknown>>`select ${columns} ${whoseRows(rows, person)}`.execute(db);
  return found.rows;
}
