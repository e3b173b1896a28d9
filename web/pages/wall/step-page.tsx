import type { ReactNode } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { normalizeFace } from '#contract/face.ts';
import type { ClientSettings } from '#contract/page-data.ts';
import { changeProfile } from '../../features/account/change-profile.ts';
import { NameField } from '../../features/account/name-fields.tsx';
import { nameActs, nameIn, NameQuestion } from '../../features/account/name-question.tsx';
import { MailTruth } from '../../features/mail-state/mail-truth.tsx';
import { EmojiField, emojiIn } from '../../forms/emoji-field.tsx';
import { Choices, FormPage } from '../../forms/fields.tsx';
import formStyles from '../../forms/form.module.css';
import { Form } from '../../forms/form.tsx';
import { judgeLine } from '../../forms/judge-line.ts';
import { type Act, formProblem, type PageContext } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import button from '../../ui/button.module.css';
import { Tabs } from '../../ui/tabs.tsx';
import { InviteLinks, makeInvites, whoMayCome, whyName } from '../desk/invites.tsx';
import { publishRoot, Writing } from '../open/writing.tsx';
import { firstSteps, Progress, stepHref } from './first-steps-card.tsx';
import { chosenRules, markdownOf, RuleLines } from './rule-lines.tsx';
import { saveSettings, valuesOf, whoComes } from './save-settings.ts';
import { ContactField, SettingsForm } from './settings.tsx';
import { saveText } from './text-form.tsx';
import { SignFields, useOnEveryPage } from './sign-fields.tsx';
import styles from './step-page.module.css';

/** The data of the page of a step; null if there is no such step. */
export async function loadStep({ call }: PageContext, id: string | null) {
  const step = firstSteps.find((each) => each.id === id);
  if (!step) return null;
  const { settings, pictures, invite_terms: terms, texts, mail, first_steps: done } = await call('GET /keep', {});
  const { invites = [] } = step.id === 'invite' ? await call('GET /moderation/invites', { query: {} }) : {};
  const invite = invites.find(({ url, may_end: mayEnd, seats }) => url !== null && mayEnd && seats > 1);
  const rules = texts.find(({ name }) => name === 'rules')!.source;
  // A page has only what its own step shows, so that it stays short.
  const own = {
    ...(step.id === 'rules' && { rules }),
    ...(step.id === 'post' && { hasPost: done.post }),
    ...(step.id === 'invite' && { mail, invite }),
  };
  return { title: step.name, step: { id: step.id, settings, pictures, terms, ...own } };
}

type Step = NonNullable<Awaited<ReturnType<typeof loadStep>>>['step'];

interface ViewProps {
  step: Step;
  user: CurrentUser;
  query: URLSearchParams;
}

/** The page of one of the first steps. Its main button leads to the next one. */
export function StepPage(props: ViewProps) {
  const { id, settings, pictures } = props.step;
  useOnEveryPage(settings, pictures);
  const View = views[id];
  const number = firstSteps.findIndex((step) => step.id === id) + 1;
  return (
    <FormPage>
      <div>
        <Progress count={number} />
        <p className={formStyles.note}>
          {number} из {firstSteps.length}
        </p>
      </div>
      <View {...props} />
    </FormPage>
  );
}

/** The link to the next step where nothing remains to be done. */
const Onward = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} className={button.button} data-variant="primary">
    {children}
  </a>
);

function AboutStep({ step: { settings, terms } }: ViewProps) {
  const values = valuesOf(settings, terms);
  return (
    <SettingsForm values={values} act="stepAbout" submit="Дальше: как вас называть">
      <SignFields values={values} isFirst />
      <Choices name="who" legend="Кто может прийти" choices={whoComes} chosen={values['who']} />
      <ContactField value={values['contact']!} />
    </SettingsForm>
  );
}

const judgeFace = judgeLine(normalizeFace);

const NameStep = ({ user }: ViewProps) => (
  <Form act="stepName" submit="Дальше: правила" errorAt="display_name">
    <NameField user={user} label="Имя любыми буквами" isRequired takesFocus />
    <EmojiField name="face" legend="Значок" value={user.face ?? ''} note="первая буква имени" check={judgeFace} />
  </Form>
);

const readyRules = [
  'Уважаем друг друга: спорим о деле и не переходим на личности.',
  'Не пишем чужих телефонов, адресов и фамилий без согласия.',
  'Не распространяем слухов: если не знаем точно, так и говорим.',
  'Рекламируем только своё, с пометкой «Реклама» и не чаще раза в неделю.',
  'Если вопрос решён, пишем, чем кончилось: это поможет следующему.',
];

const afterRules = `Если правило нарушили, откройте меню записи и выберите «Пожаловаться»: жалобу прочитает человек.`;

function RulesStep({ step: { rules } }: ViewProps) {
  if (rules !== 'default') {
    return (
      <>
        <p>
          Правила написаны. <a href={addresses.wallText.href({ name: 'rules' })}>Прочитать</a>
        </p>
        <Onward href={stepHref('post')}>Дальше: первая запись</Onward>
      </>
    );
  }
  return (
    <Form act="stepRules" submit="Дальше: первая запись">
      <p className={formStyles.tip}>Поправьте, как у вас принято. Снимите отметку с того, что не нужно.</p>
      <RuleLines rules={readyRules} />
    </Form>
  );
}

const beginnings = [
  {
    id: 'why',
    name: 'Зачем мы здесь',
    href: addresses.keep.href({}, { step: 'post', begin: 'why' }),
    text: ({ appName, line = '' }: ClientSettings) =>
      `Здравствуйте! Это «${appName}»${line && `: ${line.replace(/[.…]+$/, '')}`}. Здесь можно спросить, предложить и договориться: всё останется на месте и не утонет в чате. О чём вам хотелось бы здесь читать?`,
  },
  {
    id: 'broken',
    name: 'Что сломалось?',
    href: addresses.keep.href({}, { step: 'post', begin: 'broken' }),
    text: () =>
      'Что у нас сейчас сломано или мешает? Напишите в ответ, что, где и с какого дня. Соберём всё в одном месте и будем отмечать, что починили.',
  },
] as const;

function PostStep({ step: { hasPost }, user, query }: ViewProps) {
  const settings = useClientSettings();
  const chosen = beginnings.find(({ id }) => id === query.get('begin')) ?? beginnings[0];
  return (
    <>
      <div className={styles.wide}>
        <Tabs label="С чего начать" tabs={beginnings} current={chosen.name} />
      </div>
      <Writing
        key={chosen.id}
        user={user}
        act="stepPost"
        label="Текст записи"
        form={`first-post:${chosen.id}`}
        added={chosen.text(settings)}
        submit="Опубликовать и позвать людей"
      />
      {hasPost && <a href={stepHref('invite')}>Запись уже есть. Дальше: позвать людей</a>}
    </>
  );
}

function InviteStep({ step: { settings, mail, invite }, user }: ViewProps) {
  if (user.name_question) return <NameQuestion user={user} why={whyName} />;
  return (
    <>
      <div className={styles.wide}>
        <MailTruth mail={mail!} />
      </div>
      <p className={formStyles.tip}>
        {invite === undefined
          ? 'Одна ссылка на всех: её можно прислать в общий чат, показать QR-кодом или напечатать на листке.'
          : 'Пришлите ссылку в общий чат или напечатайте объявление с QR-кодом.'}
      </p>
      {settings.registration === 'closed' && <p>{whoMayCome.closed}</p>}
      {invite === undefined ? (
        <Form act="stepInvite" submit="Сделать ссылку" />
      ) : (
        <>
          <InviteLinks links={[invite.url!]} seats={invite.seats} />
          <p className={styles.onward}>
            <a href={addresses.feed.href()}>На стену</a>
          </p>
        </>
      )}
    </>
  );
}

const views = { about: AboutStep, name: NameStep, rules: RulesStep, post: PostStep, invite: InviteStep };

const seats = 500;

export const stepActs = {
  ...nameActs,
  async stepAbout(context, fields) {
    await saveSettings(context, fields);
    return { to: stepHref('name') };
  },
  async stepName({ call }, fields) {
    const names = nameIn(fields);
    if (names.display_name.trim() === '') throw formProblem('Введите имя.');
    const user = await changeProfile(call, { ...names, face: emojiIn(fields, 'face') });
    return { to: stepHref('rules'), user };
  },
  async stepRules({ call }, fields) {
    const list = { title: 'Правила', rules: chosenRules(fields), isNumbered: true, after: afterRules };
    await saveText(call, 'rules', markdownOf(list));
    return { to: stepHref('post') };
  },
  async stepPost(context, fields) {
    return { ...(await publishRoot(context, fields)), to: stepHref('invite') };
  },
  async stepInvite(context) {
    await makeInvites(context, { reason: 'Для всех', count: 1, seats });
    return { message: 'Ссылка готова' };
  },
} satisfies Record<string, Act>;
