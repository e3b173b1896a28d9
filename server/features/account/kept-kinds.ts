import { sql } from 'kysely';
import { acts } from '#contract/moderation-acts.ts';
import type { KeptKind } from './kept-rows.ts';

const untilAccount = 'до удаления учётной записи';
const forever = 'без срока';
/** Other entries have the number of a post as their target. */
const isAboutPerson = sql`action in (${sql.join(Object.keys(acts).filter((name) => acts[name]!.target === 'person'))})`;

/** Everything that is kept about a person. A test compares its tables with the schema. */
export const keptSections: ReadonlyArray<{ section: string; kept: readonly KeptKind[] }> = [
  {
    section: 'Учётная запись',
    kept: [
      {
        title: 'Адрес, имя и настройки',
        about:
          'адрес почты, имена, строка о себе, счётчики, выбранные уведомления, кто пригласил, блокировка и предупреждение',
        kept_until: 'до удаления; имя пользователя — всегда, чтобы его не занял другой',
        rows: {
          in: 'users',
          whose: 'id',
          at: 'created_at',
          columns:
            'posts_count replies_count likes_count invited_by invites_ended_at blocked_at block_reason blocked_until warning',
        },
      },
      {
        title: 'Прежние имена',
        about: 'по ним ещё работают ссылки на вас',
        kept_until: '30 дней после смены',
        rows: { in: 'left_usernames', at: 'left_at', columns: 'username_key left_at' },
      },
      {
        title: 'Смены адреса почты',
        about: 'прежний и новый адрес',
        kept_until: 'пока смену можно отменить и ещё 30 дней',
        rows: { in: 'email_changes', at: 'created_at', columns: 'email new_email created_at used_at' },
      },
      {
        title: 'Приглашения',
        about: 'ссылки, которые сделали вы, и кто по ним пришёл',
        kept_until: forever,
        rows: { in: 'invites', whose: 'made_by', at: 'created_at', order: 'id', only: sql`by_member = 1` },
      },
      {
        title: 'Согласия',
        about: 'на какой текст вы согласились и когда',
        kept_until: 'три года после удаления учётной записи',
        rows: { in: 'consents', at: 'at' },
      },
    ],
  },
  {
    section: 'Что вы пишете и отмечаете',
    kept: [
      {
        title: 'Записи',
        about: 'текст, время, слова для поиска, открыта ли запись всем',
        kept_until: 'пока вы их не удалите',
        also: ['post_words', 'shared_posts'],
        rows: { in: 'posts', at: 'created_at', order: 'id', only: sql`replied_post_id is null` },
      },
      {
        title: 'Ответы',
        about: 'текст, время, последний ли ответ в обсуждении и поднял ли его',
        kept_until: 'пока вы их не удалите',
        also: ['discussions', 'lifts'],
        rows: { in: 'posts', at: 'created_at', order: 'id', only: sql`replied_post_id is not null` },
      },
      {
        title: 'Отметки «Нравится»',
        about: 'что вам понравилось; другие видят только число',
        kept_until: 'пока вы их не снимете',
        rows: { in: 'likes', at: 'created_at', order: 'id' },
      },
      {
        title: 'Записи, которых нет на стене',
        about: 'удалённые вами и убранные модераторами, с отметками и уведомлениями',
        kept_until: 'удалённые вами — пять минут, убранные — пока вы не удалите их',
        also: ['removed_likes', 'removed_notifications'],
        rows: { in: 'removed_posts', at: 'removed_at' },
      },
      {
        title: 'Записи, которые ждут проверки',
        about: 'видите их только вы и модераторы',
        kept_until: 'до проверки, самое долгое двое суток',
        rows: { in: 'pending_posts', at: 'created_at' },
      },
    ],
  },
  {
    section: 'Что вы читаете',
    kept: [
      {
        title: 'Уведомления',
        about: 'кто и где вам ответил',
        kept_until: untilAccount,
        rows: { in: 'notifications', columns: 'post_id kind' },
      },
      {
        title: 'Обсуждения, за которыми вы следите',
        about: 'и те, за которыми отказались следить',
        kept_until: 'не дольше дня после самого обсуждения',
        rows: { in: 'follows' },
      },
      {
        title: 'Сохранённое',
        about: 'что вы отложили для себя',
        kept_until: untilAccount,
        rows: { in: 'bookmarks', at: 'created_at', order: 'id' },
      },
      {
        title: 'Скрытые авторы',
        about: 'они об этом не знают',
        kept_until: untilAccount,
        rows: { in: 'mutes', at: 'created_at', columns: 'muted_id created_at' },
      },
      {
        title: 'Прочитанное',
        about: 'докуда вы дочитали ленту и обсуждения',
        kept_until: untilAccount,
        rows: { in: 'reading_positions', at: 'updated_at' },
      },
    ],
  },
  {
    section: 'Вход и защита',
    kept: [
      {
        title: 'Сеансы',
        about: 'браузер, система, отпечаток устройства, время входа и последнего посещения',
        kept_until: '90 дней без посещений, самое долгое год',
        rows: {
          in: 'sessions',
          at: 'created_at',
          columns: 'device client_token created_at last_active_at moderation_until',
        },
      },
      {
        title: 'Знакомые браузеры',
        about: 'чтобы предупредить о входе с нового',
        kept_until: '400 дней с последнего входа',
        rows: { in: 'known_devices', at: 'last_used_at', columns: 'last_used_at' },
      },
      {
        title: 'Токены для программ',
        about: 'название, право и время; сам токен прочитать нельзя',
        kept_until: 'год без использования',
        rows: { in: 'program_tokens', at: 'created_at' },
      },
      {
        title: 'Запрошенные коды',
        about: 'адрес, отпечаток устройства и код, который нельзя прочитать',
        kept_until: 'несколько минут',
        rows: {
          in: 'operations',
          whose: 'email',
          by: 'email',
          at: 'created_at',
          columns: 'purpose email client_token device created_at expires_at',
        },
      },
      {
        title: 'Письма в пути',
        about: 'адрес и зашифрованный текст',
        kept_until: 'до доставки, самое долгое сутки и час',
        rows: { in: 'outbox', whose: 'recipient', by: 'email', columns: 'recipient state attempts give_up_at' },
      },
    ],
  },
  {
    section: 'Порядок на стене',
    kept: [
      {
        title: 'Ваши жалобы',
        about: 'на какую запись и почему; её текст в жалобе видят только модераторы',
        kept_until: forever,
        rows: {
          in: 'reports',
          at: 'created_at',
          order: 'id',
          // Not the text: the author may have deleted it since.
          columns: 'post_id reason_id comment created_at settled_at',
        },
      },
      {
        title: 'Жалобы на вас',
        about: 'с текстом записи; сколько их и от кого, знают только модераторы: иначе жаловаться было бы опасно',
        kept_until: forever,
        also: ['reports'],
      },
      {
        title: 'Решения о вас',
        about: 'что решили модераторы, с причиной и временем',
        kept_until: forever,
        rows: {
          in: 'operator_log',
          whose: 'target_id',
          at: 'at',
          order: 'id',
          only: isAboutPerson,
          columns: 'at action reason',
        },
      },
      {
        title: 'Ваши решения модератора',
        about: 'журнал того, что вы сделали',
        kept_until: forever,
        rows: { in: 'operator_log', whose: 'moderator_id', at: 'at', order: 'id', columns: 'at action target reason' },
      },
    ],
  },
  {
    section: 'Что стирается само',
    kept: [
      {
        title: 'Счётчики запросов',
        about: 'сколько раз запрашивали код, публиковали и так далее',
        kept_until: 'не дольше суток',
        also: ['budgets'],
      },
      {
        title: 'Ключи отправленных записей',
        about: 'чтобы ничего не опубликовалось дважды',
        kept_until: 'сутки',
        also: ['idempotency_keys'],
      },
      {
        title: 'Номера изменённых записей',
        about: 'чтобы открытые страницы обновлялись сами',
        kept_until: 'час',
        also: ['changes', 'announcements'],
      },
      {
        title: 'Отложенные дела',
        about: 'например, удаление учётной записи',
        kept_until: 'пока не сделаны',
        also: ['jobs'],
      },
    ],
  },
];
