import { sql } from 'kysely';
import { keeperActs } from '#contract/keeper-acts.ts';
import { isIn } from '../../db/all-posts.ts';
import type { Schema } from '../../db/schema.ts';
import { waitingSeconds } from '../posts/first-posts.ts';
import { idempotencyKeySeconds } from '../posts/post-rules.ts';
import { idleSeconds } from '../sessions/session-rules.ts';
import type { StoredWords, RowsQuery } from './stored-rows.ts';
import { leftNameSeconds } from './account-store.ts';

/** The parts of «Мои данные», in their order. */
export const sections = [
  'Учётная запись',
  'Что вы пишете и отмечаете',
  'Что вы читаете',
  'Вход и защита',
  'Порядок на стене',
  'Что стирается само',
] as const;

interface Kind extends StoredWords {
  section: (typeof sections)[number];
  /** Undefined: the rows are not counted, because they do not name the person or only moderators may know their number. */
  rows?: Omit<RowsQuery, 'in'>;
}

export interface StoredTable {
  /** The kinds of data that «Мои данные» lists. Empty if no row is about a person; the name of another table if its kinds cover this one. */
  about: readonly Kind[] | keyof Schema;
  /**
   * If `rows` of `about` name columns, the other columns of the table: they are internal, concern other people, or are in the person's
   * own part of the export.
   */
  withheld?: string;
  /** Rows are removed `seconds` after the time in `column`. */
  expires?: {
    key: string;
    column: string;
    seconds: number;
    /** The newest row is kept, because its key is the last position of the table. */
    butNewest?: true;
  };
  /**
   * What happens to a person's rows when the account is deleted. `removed`: code for this table deletes them and corrects counts.
   * `cleared`: one statement deletes all rows with this `user_id`, after everything else. Not set: the rows stay because they
   * expire or because other data needs them.
   */
  onDeletion?: 'removed' | 'cleared';
}

const untilAccount = 'до удаления учётной записи';
const forever = 'без срока';
/** Rows of expired links are kept this long, so that the page of such a link can say that it has expired. */
const expiredLinkSeconds = 30 * 24 * 3_600;
const knownDeviceSeconds = 400 * 24 * 3_600;
/** A push that no process has sent is removed after this time. */
const pushSeconds = 24 * 3_600;
/** An event stream that resumes after a longer time gets a reset. */
const changesSeconds = 3_600;
/** The id of a post may be equal to the id of the person, so entries about posts are excluded. */
const isAboutPerson = sql`action in (${sql.join(Object.keys(keeperActs).filter((name) => keeperActs[name]!.target === 'person'))})`;

/** Rows about withdrawn posts stay until the posts are gone, and count again when the posts are restored. */
const ofShownPost = sql`exists (select 1 from posts where posts.id = post_id)`;

/** What each table stores about people: what for, until when, and how it is exported and deleted. */
export const storedTables: Readonly<Record<keyof Schema, StoredTable>> = {
  users: {
    about: [
      {
        section: 'Учётная запись',
        title: 'Адрес, имя и настройки',
        about:
          'адрес почты, имена и были ли они у других раньше, значок, строка о себе, счётчики, последняя запись, выбранные уведомления, кто пригласил, блокировка и предупреждение, когда отложен вопрос об имени',
        kept_until: 'до удаления; имя пользователя — всегда, чтобы его не занял другой',
        rows: {
          whose: 'id',
          at: 'created_at',
          columns:
            'posts_count replies_count likes_count invited_by invites_ended_at blocked_at block_reason blocked_until warning is_namesake name_put_off_at',
        },
      },
    ],
    withheld:
      'id username username_key email created_at notifications_made notifications_count follow_replied digest digest_at digest_no deleted_at cleared_at role display_name display_key about face newcomer_until best_weekly best_at replies_at_once answers_at answers_no wall_daily wall_daily_at wall_daily_id file_monthly file_at unread_count unseen_removals name_skeleton last_post_id',
  },
  left_usernames: {
    about: [
      {
        section: 'Учётная запись',
        title: 'Прежние имена',
        about: 'по ним ещё работают ссылки на вас',
        kept_until: '30 дней после смены',
        rows: { at: 'left_at', columns: 'username_key left_at' },
      },
    ],
    withheld: 'user_id',
    expires: { key: 'username_key', column: 'left_at', seconds: leftNameSeconds },
  },
  email_changes: {
    about: [
      {
        section: 'Учётная запись',
        title: 'Смены адреса почты',
        about: 'прежний и новый адрес',
        kept_until: 'пока смену можно отменить и ещё 30 дней',
        rows: { at: 'created_at', columns: 'email new_email created_at used_at' },
      },
    ],
    withheld: 'token_hash user_id expires_at',
    expires: { key: 'token_hash', column: 'expires_at', seconds: expiredLinkSeconds },
    onDeletion: 'removed',
  },
  invites: {
    about: [
      {
        section: 'Учётная запись',
        title: 'Приглашения',
        about: 'ссылки, которые сделали вы, и кто по ним пришёл',
        kept_until: forever,
        rows: { whose: 'made_by', at: 'created_at', order: 'id', only: sql`by_member = 1` },
      },
    ],
  },
  consents: {
    about: [
      {
        section: 'Учётная запись',
        title: 'Согласия',
        about: 'на какой текст вы согласились и когда',
        kept_until: 'три года после удаления учётной записи',
        rows: { at: 'at' },
      },
    ],
  },
  posts: {
    about: [
      {
        section: 'Что вы пишете и отмечаете',
        title: 'Записи',
        about: 'текст, время, слова для поиска, открыта ли запись всем',
        kept_until: 'пока вы их не удалите',
        rows: { at: 'created_at', order: 'id', only: sql`replied_post_id is null` },
      },
      {
        section: 'Что вы пишете и отмечаете',
        title: 'Ответы',
        about: 'текст, время, последний ли ответ в обсуждении и поднял ли его',
        kept_until: 'пока вы их не удалите',
        rows: { at: 'created_at', order: 'id', only: sql`replied_post_id is not null` },
      },
    ],
    onDeletion: 'removed',
  },
  post_words: { about: 'posts', onDeletion: 'removed' },
  shared_posts: { about: 'posts', onDeletion: 'removed' },
  discussions: { about: 'posts', onDeletion: 'removed' },
  lifts: { about: 'posts', onDeletion: 'removed' },
  best_posts: { about: 'posts', onDeletion: 'removed' },
  likes: {
    about: [
      {
        section: 'Что вы пишете и отмечаете',
        title: 'Отметки «Нравится»',
        about: 'что вам понравилось; другие видят только число',
        kept_until: 'пока вы их не снимете',
        rows: { at: 'created_at', order: 'id', only: ofShownPost },
      },
    ],
    onDeletion: 'removed',
  },
  all_posts: {
    about: [
      {
        section: 'Что вы пишете и отмечаете',
        title: 'Записи, которые вы удалили',
        about: 'с отметками и уведомлениями: удаление ещё можно отменить',
        kept_until: 'пять минут',
        rows: { at: 'removed_at', only: isIn('deleted') },
      },
    ],
    onDeletion: 'removed',
  },
  removed_posts: {
    about: [
      {
        section: 'Что вы пишете и отмечаете',
        title: 'Записи, которые убрали модераторы',
        about: 'с причиной, отметками и уведомлениями',
        kept_until: 'пока вы не удалите их',
        rows: { at: 'removed_at' },
      },
    ],
    onDeletion: 'removed',
  },
  pending_posts: {
    about: [
      {
        section: 'Что вы пишете и отмечаете',
        title: 'Записи, которые ждут проверки',
        about: 'видите их только вы и модераторы',
        kept_until: 'до проверки, самое долгое двое суток',
        rows: { at: 'created_at' },
      },
    ],
    onDeletion: 'removed',
  },
  notifications: {
    about: [
      {
        section: 'Что вы читаете',
        title: 'Уведомления',
        about: 'кто и где вам ответил',
        kept_until: untilAccount,
        rows: { columns: 'post_id kind', only: ofShownPost },
      },
    ],
    withheld: 'user_id no author_id root_post_id told',
    onDeletion: 'cleared',
  },
  follows: {
    about: [
      {
        section: 'Что вы читаете',
        title: 'Обсуждения, за которыми вы следите',
        about: 'и те, за которыми отказались следить',
        kept_until: 'не дольше дня после самого обсуждения',
        rows: {},
      },
    ],
    onDeletion: 'cleared',
  },
  followed_authors: {
    about: [
      {
        section: 'Что вы читаете',
        title: 'Авторы, за которыми вы следите',
        about: 'они об этом не знают',
        kept_until: untilAccount,
        rows: { at: 'created_at', columns: 'author_id created_at' },
      },
    ],
    withheld: 'user_id after_id',
    onDeletion: 'cleared',
  },
  bookmarks: {
    about: [
      {
        section: 'Что вы читаете',
        title: 'Сохранённое',
        about: 'что вы отложили для себя',
        kept_until: untilAccount,
        rows: { at: 'created_at', order: 'id' },
      },
    ],
    onDeletion: 'cleared',
  },
  mutes: {
    about: [
      {
        section: 'Что вы читаете',
        title: 'Скрытые авторы',
        about: 'они об этом не знают',
        kept_until: untilAccount,
        rows: { at: 'created_at', columns: 'muted_id created_at' },
      },
    ],
    withheld: 'user_id',
    onDeletion: 'cleared',
  },
  carries: {
    about: [
      {
        section: 'Что стирается само',
        title: 'Унесённые файлы',
        about: 'файлы с записями, которые вы попросили собрать',
        kept_until: 'сутки',
        rows: { at: 'made_at', columns: 'made_at year' },
      },
    ],
    withheld: 'id user_id of_id with_others state expires_at total done below_id',
    expires: { key: 'id', column: 'expires_at', seconds: 0 },
    onDeletion: 'cleared',
  },
  carry_parts: { about: 'carries', onDeletion: 'removed' },
  words: {
    about: [
      {
        section: 'Что вы читаете',
        title: 'Слова',
        about: 'за какими следите и какие не показываете; их не видит никто другой',
        kept_until: untilAccount,
        rows: { columns: 'word kind' },
      },
    ],
    withheld: 'user_id lexeme',
    onDeletion: 'cleared',
  },
  reading_positions: {
    about: [
      {
        section: 'Что вы читаете',
        title: 'Прочитанное',
        about: 'докуда вы дочитали ленту и обсуждения',
        kept_until: untilAccount,
        // A row with `post_id` 0 only counts unread notifications: nothing was read there.
        rows: { at: 'updated_at', only: sql`post_id > 0` },
      },
    ],
    onDeletion: 'cleared',
  },
  sessions: {
    about: [
      {
        section: 'Вход и защита',
        title: 'Сеансы',
        about: 'браузер, система, отпечаток устройства, время входа и последнего посещения',
        kept_until: '90 дней без посещений, самое долгое год',
        rows: {
          at: 'created_at',
          columns: 'device client_token created_at last_active_at moderation_until',
        },
      },
    ],
    withheld: 'id user_id cookie_hash',
    expires: { key: 'id', column: 'last_active_at', seconds: idleSeconds },
    onDeletion: 'removed',
  },
  push_subscriptions: {
    about: [
      {
        section: 'Вход и защита',
        title: 'Уведомления на устройствах',
        about: 'адрес, по которому браузер их получает, и ключ, которым они зашифрованы',
        kept_until: 'до выхода на этом устройстве',
        rows: { columns: 'endpoint hides_text' },
      },
    ],
    withheld: 'session_id user_id p256dh auth',
    onDeletion: 'removed',
  },
  pushes: {
    about: 'push_subscriptions',
    expires: { key: 'session_id', column: 'due_at', seconds: pushSeconds },
    onDeletion: 'removed',
  },
  known_devices: {
    about: [
      {
        section: 'Вход и защита',
        title: 'Знакомые браузеры',
        about: 'чтобы предупредить о входе с нового',
        kept_until: '400 дней с последнего входа',
        rows: { at: 'last_used_at', columns: 'last_used_at' },
      },
    ],
    withheld: 'user_id cookie_hash',
    expires: { key: 'cookie_hash', column: 'last_used_at', seconds: knownDeviceSeconds },
    onDeletion: 'removed',
  },
  program_tokens: {
    about: [
      {
        section: 'Вход и защита',
        title: 'Токены для программ',
        about: 'название, право и время; сам токен прочитать нельзя',
        kept_until: 'год без использования',
        rows: { at: 'created_at' },
      },
    ],
    expires: { key: 'id', column: 'expires_at', seconds: 0 },
    onDeletion: 'removed',
  },
  operations: {
    about: [
      {
        section: 'Вход и защита',
        title: 'Запрошенные коды',
        about: 'адрес, отпечаток устройства и код, который нельзя прочитать',
        kept_until: 'несколько минут',
        rows: {
          whose: 'email',
          by: 'email',
          at: 'created_at',
          columns: 'purpose email client_token device created_at expires_at',
        },
      },
    ],
    withheld: 'id user_id code_hash attempts invite consent',
    expires: { key: 'id', column: 'expires_at', seconds: 0 },
  },
  outbox: {
    about: [
      {
        section: 'Вход и защита',
        title: 'Письма в пути',
        about: 'адрес и зашифрованный текст',
        kept_until: 'до доставки, самое долгое сутки и час, письма о новом — восемь дней и час',
        rows: { whose: 'recipient', by: 'email', columns: 'recipient state attempts give_up_at' },
      },
    ],
    withheld: 'id operation_id sealed next_try_at kind',
    expires: { key: 'id', column: 'give_up_at', seconds: 3_600 },
  },
  reports: {
    about: [
      {
        section: 'Порядок на стене',
        title: 'Ваши жалобы',
        about: 'на какую запись и почему; её текст в жалобе видят только модераторы',
        kept_until: forever,
        rows: {
          at: 'created_at',
          order: 'id',
          // The text of the post is left out, because its author may have deleted it since.
          columns: 'post_id reason_id comment created_at settled_at',
        },
      },
      {
        section: 'Порядок на стене',
        title: 'Жалобы на вас',
        about: 'с текстом записи; сколько их и от кого, знают только модераторы: иначе жаловаться было бы опасно',
        kept_until: forever,
      },
    ],
    withheld: 'id user_id owner_id text settled_by told_at',
  },
  operator_log: {
    about: [
      {
        section: 'Порядок на стене',
        title: 'Решения о вас',
        about: 'что решили модераторы, с причиной и временем',
        kept_until: forever,
        rows: { whose: 'target_id', at: 'at', order: 'id', only: isAboutPerson, columns: 'at action reason' },
      },
      {
        section: 'Порядок на стене',
        title: 'Ваши решения модератора',
        about: 'журнал того, что вы сделали',
        kept_until: forever,
        rows: { whose: 'moderator_id', at: 'at', order: 'id', columns: 'at action target reason' },
      },
    ],
    withheld: 'id operator moderator_id target_id details ended_by',
  },
  budgets: {
    about: [
      {
        section: 'Что стирается само',
        title: 'Счётчики запросов',
        about: 'сколько раз запрашивали код, публиковали и так далее',
        kept_until: 'не дольше суток',
      },
    ],
    expires: { key: 'key', column: 'expires_at', seconds: 0 },
  },
  idempotency_keys: {
    about: [
      {
        section: 'Что стирается само',
        title: 'Ключи отправленных записей',
        about: 'чтобы ничего не опубликовалось дважды',
        kept_until: 'сутки',
      },
    ],
    expires: { key: 'key', column: 'created_at', seconds: idempotencyKeySeconds },
  },
  changes: {
    about: [
      {
        section: 'Что стирается само',
        title: 'Номера изменённых записей',
        about: 'чтобы открытые страницы обновлялись сами',
        kept_until: 'час',
      },
    ],
    expires: { key: 'position', column: 'created_at', seconds: changesSeconds, butNewest: true },
  },
  announcements: { about: 'changes' },
  jobs: {
    about: [
      {
        section: 'Что стирается само',
        title: 'Отложенные дела',
        about: 'например, удаление учётной записи',
        kept_until: 'пока не сделаны',
      },
    ],
  },
  first_posts: { about: [], expires: { key: 'post_id', column: 'created_at', seconds: waitingSeconds } },
  search_index: { about: [] },
  feed_counts: { about: [] },
  gated_posts: { about: [] },
  wall_settings: { about: [] },
  visible_changes: { about: [] },
};

export const tablesOf = (isWanted: (table: StoredTable) => boolean): ReadonlyArray<keyof Schema> =>
  (Object.keys(storedTables) as Array<keyof Schema>).filter((name) => isWanted(storedTables[name]));
