import { Type } from 'typebox';
import { owner } from './posts.schema.ts';
import { role } from './account.schema.ts';
import { seconds, strict, withoutNul } from './common.schema.ts';
import { gateHoursMax, gatePostsMax, wallTextLength } from './keep-settings.ts';
import { paceSeconds } from './pace.ts';

export const registration = Type.Enum(['open', 'members', 'invite', 'closed'] as const, {
  description: 'Кто может зарегистрироваться: все, по приглашениям участников, только тех, кто ведёт стену, никто.',
});
const inviteTerms = Type.Object(
  {
    invite_days: Type.Integer({ minimum: 0, maximum: 365, description: 'Через сколько дней человек приглашает.' }),
    invite_posts: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Сколько записей у него должно быть.' }),
    invite_links: Type.Integer({ minimum: 1, maximum: 100, description: 'Сколько ссылок он делает за 30 дней.' }),
  },
  strict,
);

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
const secondsOrNull = Type.Union([seconds, Type.Null()]);
const textParams = Type.Object({ name: Type.String() });
const markdown = Type.String({ maxLength: wallTextLength, pattern: withoutNul });

export const keptText = Type.Object(
  {
    name: Type.String(),
    source: Type.Union([Type.Literal('file'), Type.Literal('wall'), Type.Literal('default'), Type.Literal('none')], {
      description: 'file: файл в PAGES_DIR, его меняют там; wall: написан владельцем; default: текст программы.',
    }),
    markdown: Type.String(),
  },
  { ...strict, title: 'KeptText' },
);

export const keep = Type.Object(
  {
    settings: Type.Object({ ...settings, ...gate }, strict),
    invite_terms: inviteTerms,
    texts: Type.Array(keptText),
    keepers: Type.Array(Type.Object({ ...owner.properties, role }, strict)),
    first_steps: Type.Object(
      {
        about: Type.Boolean(),
        rules: Type.Boolean(),
        mail: Type.Boolean(),
        post: Type.Boolean(),
        invite: Type.Boolean(),
      },
      { ...strict, description: 'Что из первых шагов сделано.' },
    ),
    health: Type.Object(
      {
        version: Type.String(),
        last_backup: secondsOrNull,
        disk: Type.Union([
          Type.Object({ free: Type.Integer({ minimum: 0 }), size: Type.Integer({ minimum: 0 }) }, strict),
          Type.Null(),
        ]),
      },
      strict,
    ),
  },
  { ...strict, title: 'Keep' },
);

export const mailFinding = Type.Object(
  {
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
  },
  { ...strict, title: 'MailFinding' },
);

export const getKeep = { reply: keep };
export const putKeepSettings = {
  body: Type.Object(
    { ...settings, ...Type.Partial(Type.Object(gate)).properties, invite_terms: Type.Optional(inviteTerms) },
    strict,
  ),
  reply: keep,
};
export const putKeepText = {
  params: textParams,
  body: Type.Object(
    { markdown: Type.Union([markdown, Type.Null()], { description: 'null: снова текст программы.' }) },
    strict,
  ),
  reply: keep,
};
export const previewKeepText = {
  params: textParams,
  body: Type.Object({ markdown }, strict),
  reply: Type.Object({ title: Type.String(), html: Type.String() }, { ...strict, title: 'TextPreview' }),
};
export const checkMail = {
  reply: Type.Object({ findings: Type.Array(mailFinding) }, { ...strict, title: 'MailFindings' }),
};
