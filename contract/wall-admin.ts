import { type Static, Type } from 'typebox';
import { role } from './account.ts';
import { call } from './call.ts';
import * as values from './example-values.ts';
import { gateHoursMax, gatePostsMax, wallTextLength } from './wall-setting-rules.ts';
import { paceSeconds } from './reply-rules.ts';
import { owner } from './post-schemas.ts';
import { confirmCode, count, counted, named, nullable, object, seconds, withoutNul } from './schemas.ts';

export const registration = Type.Enum(['open', 'members', 'invite', 'closed'] as const, {
  description: 'Кто может зарегистрироваться: все, по приглашениям участников, только тех, кто ведёт стену, никто.',
});
const inviteTerms = object({
  invite_days: Type.Integer({ minimum: 0, maximum: 365, description: 'Через сколько дней человек приглашает.' }),
  invite_posts: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Сколько записей у него должно быть.' }),
  invite_links: Type.Integer({ minimum: 1, maximum: 100, description: 'Сколько ссылок он делает за 30 дней.' }),
});

const settings = {
  name: Type.String({ description: 'Имя стены, до 60 знаков.' }),
  line: Type.String({ description: 'Строка о стене, до 160 знаков; пустая: её нет.' }),
  mark: Type.Optional(Type.String({ description: 'Значок стены: один эмодзи; пустой: кирпичи.' })),
  contact: Type.String({ description: 'Куда писать: mailto: или https:.' }),
  readers: Type.Union([Type.Literal('everyone'), Type.Literal('members')], {
    description: 'members: стена закрыта, без входа её не прочесть.',
  }),
  registration,
  pace: Type.Optional(
    Type.Enum([0, ...paceSeconds] as const, {
      description: 'Секунд между ответами одного человека на всей стене; 0: сколько угодно.',
    }),
  ),
  report_letters: Type.Optional(
    Type.Boolean({ description: 'Писать тем, кто ведёт стену, о жалобах, которые ждут больше часа.' }),
  ),
  letter_texts: Type.Optional(
    Type.Boolean({
      description:
        'На закрытой стене: записи и ответы приходят в письмах с текстом. Без входа в стену его прочтёт тот, кто видит почту.',
    }),
  ),
  carry_others: Type.Optional(
    Type.Boolean({
      description: 'На открытой стене: участник уносит в файле и обсуждения вокруг своих записей, с чужими ответами.',
    }),
  ),
  carry_letters: Type.Optional(
    Type.Boolean({
      description: 'Раз в месяц присылать стену одним файлом тем, кто попросил. На закрытой стене — только владельцам.',
    }),
  ),
};
const gate = {
  gate_posts: Type.Integer({
    minimum: 0,
    maximum: gatePostsMax,
    description: 'Сколько первых записей новичка ждут проверки; 0: нисколько.',
  }),
  gate_hours: Type.Integer({
    minimum: 1,
    maximum: gateHoursMax,
    description: 'Через сколько часов такая запись появляется и без проверки.',
  }),
};
/** The texts that the pictures of the wall show: its name, line and emoji. */
const { name, line } = settings;
const sign = object({ name, line, mark: Type.String({ description: 'Пустой: кирпичи.' }) });
export const pictureSizes = { share: { width: 1_200, height: 630 }, icon: { width: 180, height: 180 } };
const picture = ({ width, height }: { width: number; height: number }, description: string) =>
  Type.String({
    maxLength: 240_000,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: `${description}: PNG ${width} × ${height} в base64.`,
  });
const secondsOrNull = nullable(seconds);
const textParams = Type.Object({ name: Type.String() });
const markdown = Type.String({ maxLength: wallTextLength, pattern: withoutNul });

const storedText = named('KeptText', {
  name: Type.String(),
  source: Type.Union([Type.Literal('file'), Type.Literal('wall'), Type.Literal('default'), Type.Literal('none')], {
    description: 'file: файл в PAGES_DIR, его меняют там; wall: написан владельцем; default: готовый текст.',
  }),
  markdown: Type.String(),
});

const mailState = object(
  {
    state: Type.Enum(['none', 'untried', 'left', 'refused'] as const, {
      description:
        'none: почтовый сервер не подключён; untried: подключён, ещё ни одного письма; left: последнее ушло; refused: сервер писем не берёт.',
    }),
    at: secondsOrNull,
    reason: nullable(Type.String(), 'Почему письма не уходят и что делать.'),
    said: nullable(Type.String(), 'Слова почтового сервера.'),
    held_until: nullable(
      seconds,
      'Сервер сказал о пределе или о спаме: до этого времени уходит один код в десять минут, потом письма ждут, пока сервер не возьмёт одно; иначе null.',
    ),
    today: nullable(
      object({
        letters: counted('Писем за последние 24 часа.'),
        limit: counted('Сколько их может быть.'),
        for_codes: counted('Сколько из них оставлено кодам.'),
      }),
      'Предел писем; null, если его нет.',
    ),
  },
  { description: 'Что с почтой стены.' },
);

const firstSteps = object({
  about: Type.Boolean({ description: 'У стены есть имя.' }),
  name: nullable(Type.String(), 'Имя владельца стены; null, пока владельцы без имени.'),
  rules: Type.Boolean({ description: 'Правила написаны.' }),
  post: Type.Boolean({ description: 'Есть запись.' }),
  invite: Type.Boolean({ description: 'Есть приглашение.' }),
  is_hidden: Type.Boolean({ description: 'Владелец скрыл первые шаги.' }),
});

const stepsAndMail = named('FirstSteps', { ...firstSteps.properties, mail: mailState });

const wallAdmin = named('Keep', {
  settings: object({ ...settings, ...gate }),
  pictures: Type.Boolean({ description: 'Нарисованы ли картинки с нынешними именем, строкой и значком.' }),
  invite_terms: inviteTerms,
  texts: Type.Array(storedText),
  keepers: Type.Array(object({ ...owner.properties, role })),
  first_steps: firstSteps,
  health: object({
    version: Type.String(),
    last_backup: secondsOrNull,
    copy_check: nullable(
      object({
        at: seconds,
        posts: counted('Записей и ответов в копии.'),
        differences: counted('Чего нет в копии или что в ней не сходится.'),
        failure: nullable(Type.String(), 'Почему из копии не восстановиться.'),
        shrunk: nullable(Type.String(), 'Чего стало вдвое меньше, чем было в одной из прежних копий.'),
      }),
      'Последняя проверка копии; null, если её не было.',
    ),
    disk: nullable(object({ free: count, size: count }), 'Байты; null, если папки с данными нет.'),
    mails_waiting: object({ count, oldest_seconds: counted('Сколько ждёт самое старое.') }),
    jobs_failing: Type.Array(object({ name: Type.String(), count })),
    out_of_files_at: nullable(
      seconds,
      'Когда в последний раз процессу не хватало открытых файлов и соединений; null, если хватало с запуска.',
    ),
    writes: object({
      are_failing: Type.Boolean({ description: 'База сейчас ничего не сохраняет.' }),
      failed: counted('Сколько раз она отказала с запуска.'),
      reason: nullable(Type.String(), 'Почему не сохраняет: слова для того, кто ставил стену.'),
    }),
  }),
  mail: mailState,
});

const waitingCodes = named('WaitingCodes', {
  codes: Type.Array(object({ address: Type.String(), code: confirmCode, expires_at: seconds }), {
    description: 'Новые сначала, не больше 20; с почтовым сервером список пуст.',
  }),
});

export type WaitingCodes = Static<typeof waitingCodes>;

const mailFinding = named('MailFinding', {
  check: Type.String(),
  state: Type.Union([
    Type.Literal('good'),
    Type.Literal('missing'),
    Type.Literal('unknown'),
    Type.Literal('unchecked'),
  ]),
  text: Type.String(),
  expected: Type.Optional(Type.String()),
  found: Type.Optional(Type.Array(Type.String())),
});

const day = named('Day', {
  day: Type.Integer({ description: 'Начало дня по UTC.' }),
  posts: counted('Записей.'),
  replies: counted('Ответов.'),
  writers: counted('Сколько людей их написали.'),
  newcomers: counted('Сколько людей зарегистрировалось; без тех, кто удалил учётную запись.'),
  answered: counted('Скольким из них на первую запись за сутки ответил кто-то другой.'),
});

/** The data of the owners' page with the settings and the state of the wall. */
export type WallAdmin = Static<typeof wallAdmin>;
export type FirstSteps = Static<typeof firstSteps>;
export type StepsAndMail = Static<typeof stepsAndMail>;
export type Day = Static<typeof day>;
export type Readers = WallAdmin['settings']['readers'];
export type StoredText = Static<typeof storedText>;
export type MailFinding = Static<typeof mailFinding>;

/** Maximum size of a body with both pictures. */
const pictureBytes = 512 * 1_024;
/** Maximum size of a body with a text of the wall: up to four bytes for each character, and JSON escapes. */
const textBytes = 256 * 1_024;

const wallSettings = {
  name: 'Двор на Садовой',
  line: 'О чём говорят в нашем дворе',
  mark: '🏡',
  contact: 'mailto:dvor@example.org',
  registration: 'invite' as const,
  readers: 'everyone' as const,
  gate_posts: 1,
  gate_hours: 24,
};
const terms = { invite_days: 14, invite_posts: 5, invite_links: 3 };
const rules = { name: 'rules' as const };
const rulesText = '# Правила\n\nПишите так, как говорили бы с соседями.\n';
const steps = {
  about: true,
  name: values.galina.display_name,
  rules: true,
  post: true,
  invite: false,
  is_hidden: false,
};
const mail = {
  state: 'left' as const,
  at: values.at,
  reason: null,
  said: null,
  held_until: null,
  today: { letters: 312, limit: 400, for_codes: 100 },
};
const state = {
  settings: wallSettings,
  pictures: true,
  invite_terms: terms,
  texts: [{ ...rules, source: 'wall' as const, markdown: rulesText }],
  keepers: [{ ...values.galina, role: 'owner' as const }],
  first_steps: steps,
  health: {
    version: '1.0.0',
    last_backup: values.at,
    copy_check: { at: values.at, posts: 20_134, differences: 0, failure: null, shrunk: null },
    disk: { free: 21_474_836_480, size: 42_949_672_960 },
    mails_waiting: { count: 0, oldest_seconds: 0 },
    jobs_failing: [],
    out_of_files_at: null,
    writes: { are_failing: false, failed: 0, reason: null },
  },
  mail,
};

export const wallAdminCalls = {
  'GET /keep': call({
    name: 'getKeep',
    says: 'Хозяйство стены',
    access: 'owner',
    reply: wallAdmin,
    example: { reply: state },
  }),
  'GET /keep/steps': call({
    name: 'getFirstSteps',
    says: 'Первые шаги владельца: что уже сделано, и уходят ли письма',
    access: 'owner',
    reply: stepsAndMail,
    example: { reply: { ...steps, mail } },
  }),
  'PUT /keep/steps': call({
    name: 'putFirstSteps',
    says: 'Скрыть первые шаги или снова показать, всем владельцам',
    access: 'owner',
    body: object({ is_hidden: Type.Boolean() }),
    reply: stepsAndMail,
    example: { body: { is_hidden: true }, reply: { ...steps, mail, is_hidden: true } },
  }),
  'GET /keep/waiting-codes': call({
    name: 'listWaitingCodes',
    says: 'Коды новых людей, пока на стене нет почты: владелец передаёт их сам; каждый показанный остаётся в журнале',
    access: 'owner',
    reply: waitingCodes,
    example: {
      reply: { codes: [{ address: values.newEmail, code: values.confirmCode, expires_at: values.at + 600 }] },
    },
  }),
  'GET /keep/life': call({
    name: 'getLife',
    says: 'Жизнь стены по дням, от старых к новым; сосчитано не больше двух минут назад',
    access: 'owner',
    query: Type.Object({
      days: Type.Optional(
        Type.Union([Type.Literal('30'), Type.Literal('90')], { default: '30', description: 'За сколько дней.' }),
      ),
    }),
    reply: object({ days: Type.Array(day) }),
    example: {
      query: { days: '90' },
      reply: { days: [{ day: 1_767_225_600, posts: 12, replies: 31, writers: 9, newcomers: 2, answered: 1 }] },
    },
  }),
  'PUT /keep/settings': call({
    name: 'putKeepSettings',
    says: 'Изменить имя стены, строку о ней, значок, куда писать, кто может регистрироваться, приглашать и читать',
    access: 'owner',
    body: object(
      {
        ...Type.Partial(Type.Object({ ...settings, ...gate })).properties,
        invite_terms: Type.Optional(object(Type.Partial(inviteTerms).properties)),
      },
      { description: 'Чего нет в запросе, остаётся как было.' },
    ),
    reply: wallAdmin,
    example: { body: { ...wallSettings, invite_terms: terms }, reply: state },
  }),
  'PUT /keep/pictures': call({
    name: 'putKeepPictures',
    says: 'Картинки с именем, строкой и значком стены: для ссылок на неё и для домашнего экрана',
    access: 'owner',
    bodyBytes: pictureBytes,
    body: object({
      of: sign,
      share: picture(pictureSizes.share, 'Для ссылок на стену'),
      icon: picture(pictureSizes.icon, 'Для домашнего экрана'),
    }),
    reply: wallAdmin,
    example: {
      body: {
        of: { name: wallSettings.name, line: wallSettings.line, mark: wallSettings.mark },
        share: values.sharePicture,
        icon: values.homeIcon,
      },
      reply: state,
    },
  }),
  'PUT /keep/texts/{name}': call({
    name: 'putKeepText',
    says: 'Изменить текст стены: о стене, правила, конфиденциальность, согласие',
    access: 'owner',
    bodyBytes: textBytes,
    params: textParams,
    body: object({ markdown: nullable(markdown, 'null: снова готовый текст.') }),
    reply: wallAdmin,
    example: { params: rules, body: { markdown: rulesText }, reply: state },
  }),
  'POST /keep/texts/{name}/preview': call({
    name: 'previewKeepText',
    says: 'Как будет выглядеть текст стены',
    access: 'owner',
    bodyBytes: textBytes,
    params: textParams,
    body: object({ markdown }),
    reply: named('TextPreview', { title: Type.String(), html: Type.String() }),
    example: {
      params: rules,
      body: { markdown: rulesText },
      reply: { title: 'Правила', html: '<p>Пишите так, как говорили бы с соседями.</p>\n' },
    },
  }),
  /** Sends a test letter to the calling owner and looks up the DNS records for mail. */
  'POST /keep/mail': call({
    name: 'checkMail',
    says: 'Отправить себе пробное письмо и проверить записи DNS, которые нужны письмам',
    access: 'owner',
    reply: named('MailFindings', { findings: Type.Array(mailFinding) }),
    example: {
      reply: {
        findings: [
          { check: 'SPF', state: 'missing', text: 'TXT для example.org', expected: 'v=spf1 mx -all', found: [] },
          { check: 'Письмо', state: 'good', text: 'почтовый сервер принял пробное письмо для galina@example.org' },
        ],
      },
    },
  }),
};
