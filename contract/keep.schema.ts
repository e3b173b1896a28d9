import { Type } from 'typebox';
import { owner } from './posts.schema.ts';
import { role } from './account.schema.ts';
import { count, counted, named, nullable, object, seconds, withoutNul } from './common.schema.ts';
import { gateHoursMax, gatePostsMax, wallTextLength } from './keep-settings.ts';
import { paceSeconds } from './pace.ts';

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
const secondsOrNull = nullable(seconds);
const textParams = Type.Object({ name: Type.String() });
const markdown = Type.String({ maxLength: wallTextLength, pattern: withoutNul });

export const keptText = named('KeptText', {
  name: Type.String(),
  source: Type.Union([Type.Literal('file'), Type.Literal('wall'), Type.Literal('default'), Type.Literal('none')], {
    description: 'file: файл в PAGES_DIR, его меняют там; wall: написан владельцем; default: текст программы.',
  }),
  markdown: Type.String(),
});

export const keep = named('Keep', {
  settings: object({ ...settings, ...gate }),
  invite_terms: inviteTerms,
  texts: Type.Array(keptText),
  keepers: Type.Array(object({ ...owner.properties, role })),
  first_steps: object(
    {
      about: Type.Boolean(),
      rules: Type.Boolean(),
      mail: Type.Boolean(),
      post: Type.Boolean(),
      invite: Type.Boolean(),
    },
    { description: 'Что из первых шагов сделано.' },
  ),
  health: object({
    version: Type.String(),
    last_backup: secondsOrNull,
    copy_check: nullable(
      object({
        at: seconds,
        posts: counted('Записей и ответов в копии.'),
        differences: counted('Чего нет в копии или что в ней не сходится.'),
        failure: nullable(Type.String(), 'Почему из копии не восстановиться.'),
      }),
      'Последняя проверка копии; null, если её не было.',
    ),
    disk: nullable(object({ free: count, size: count })),
  }),
});

export const mailFinding = named('MailFinding', {
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

export const getKeep = { reply: keep };
export const putKeepSettings = {
  body: object({
    ...settings,
    ...Type.Partial(Type.Object(gate)).properties,
    invite_terms: Type.Optional(inviteTerms),
  }),
  reply: keep,
};
export const putKeepText = {
  params: textParams,
  body: object({ markdown: nullable(markdown, 'null: снова текст программы.') }),
  reply: keep,
};
export const previewKeepText = {
  params: textParams,
  body: object({ markdown }),
  reply: named('TextPreview', { title: Type.String(), html: Type.String() }),
};
export const checkMail = {
  reply: named('MailFindings', { findings: Type.Array(mailFinding) }),
};
