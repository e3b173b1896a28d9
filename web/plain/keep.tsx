import { addresses } from '#contract/addresses.ts';
import {
  checkMail,
  getKeep,
  type Keep,
  type KeptText,
  type MailFinding,
  previewKeepText,
  putKeepSettings,
  putKeepText,
} from '#contract/keep.ts';
import { shownContact } from '#contract/keep-settings.ts';
import { wallPaces, wallPaceText } from '#contract/pace.ts';
import { findingStates } from '../features/keep/finding-states.ts';
import { firstSteps, isFirstHour } from '../features/keep/first-step-names.ts';
import { gateChoices, gateHourChoices } from '../features/keep/gate-choices.ts';
import { healthLines } from '../features/keep/health-lines.ts';
import {
  inviteTermNames,
  isTerm,
  modeOf,
  readers,
  registrationModes,
  reportLetterChoices,
  termRanges,
  termsOf,
} from '../features/keep/registration-modes.ts';
import { isFile, sourceNames, textNames, withoutText } from '../features/keep/text-names.ts';
import { relativeTime } from '../lib/time.ts';
import { CodeForm } from './code-form.tsx';
import { Carried, Choices, Field, Form, TextField } from './form.tsx';
import { keeperActs, Keepers, RoleForm } from './keepers.tsx';
import { done, formProblem, here, type PlainContext, plainPage } from './plain-page.ts';

const described = ({ check, state, text, expected }: MailFinding): string =>
  `${findingStates[state]} · ${check}: ${text}${expected !== undefined && state !== 'good' ? `. Нужно: ${expected}` : ''}`;

async function textBody({ call, path, sent }: PlainContext, { name, source, markdown }: KeptText) {
  const typed = sent?.fields['name'] === name ? sent.fields['text']! : '';
  const canPreview = typed.trim() !== '' && !sent!.failed;
  const preview = canPreview ? await call(previewKeepText, { params: { name }, body: { markdown: typed } }) : null;
  const named = <Carried name="name" value={name} />;
  return (
    <>
      <p className="quiet">{sourceNames[source]}</p>
      {preview && (
        <section aria-label="Как будет">
          <h2>{preview.title}</h2>
          <div dangerouslySetInnerHTML={{ __html: preview.html }} />
        </section>
      )}
      {typed.trim() !== '' && (
        <Form act="text" submit="Сохранить">
          {named}
          <Carried name="text" value={typed} />
        </Form>
      )}
      <Form act="preview" submit="Показать, как будет" isQuiet={typed !== ''}>
        {named}
        <TextField label="Текст с разметкой Markdown" value={typed || markdown} />
      </Form>
      {source === 'wall' && <Form act="text" id="none" submit={withoutText(name)} isQuiet></Form>}
      <p>
        <a href={path}>Хозяйство</a>
      </p>
    </>
  );
}

const keepersHeading = 'Кто ведёт стену';
const orderHeading = 'Кто приходит, читает и как часто отвечает';

const GateForm = ({ gate_posts: posts, gate_hours: hours }: Keep['settings']) => (
  <Form act="gate" submit="Сохранить">
    <Choices name="gate_posts" legend="Что с ними" choices={gateChoices} chosen={String(posts)} />
    <Choices
      name="gate_hours"
      legend="Если никто не посмотрел, запись появится"
      choices={gateHourChoices(hours)}
      chosen={String(hours)}
    />
  </Form>
);

/**
 * What owners see and set of their wall. With `text` in the query, the form of one of its texts; with `order`, who may come, read
 * and reply; with `gate`, the newcomers' gate, and with `role`, the people who keep it.
 */
export const keep = plainPage({
  address: addresses.keep,
  access: 'user',
  async show(context) {
    const { call, query, path, now, sent } = context;
    const { settings, invite_terms: terms, texts, keepers, first_steps: steps, health } = await call(getKeep, {});
    const heading = 'Хозяйство';
    if (query.has('code')) {
      const { username = '', role = '', reason = '' } = sent?.fields ?? {};
      const carried = { username, role, reason };
      return { heading, body: <CodeForm act="confirm" submit="Подтвердить" carried={carried} /> };
    }
    if (query.has('gate')) return { heading: 'Первые записи новичков', body: <GateForm {...settings} /> };
    const text = texts.find(({ name }) => name === query.get('text'));
    if (text && !isFile(text)) return { heading: textNames[text.name]!, body: await textBody(context, text) };
    if (query.has('role')) return { heading: keepersHeading, body: <RoleForm keepers={keepers} /> };
    if (query.has('order')) {
      const form = (
        <Form act="terms" submit="Сохранить">
          <Choices
            name="registration"
            legend="Кто может регистрироваться"
            choices={registrationModes}
            chosen={settings.registration}
          />
          {inviteTermNames.map(({ key, name }) => (
            <Field key={key} name={key} label={name} value={String(terms[key])} inputMode="numeric" />
          ))}
          <Choices name="readers" legend="Кто читает стену" choices={readers} chosen={settings.readers} />
          <Choices
            name="pace"
            legend="Медленный режим: как часто отвечает один человек"
            choices={wallPaces.map((seconds) => ({ id: String(seconds), name: wallPaceText(seconds) }))}
            chosen={String(settings.pace)}
          />
          <Choices
            name="letters"
            legend="Если жалоба ждёт больше часа"
            choices={reportLetterChoices}
            chosen={settings.report_letters === false ? 'off' : 'on'}
          />
        </Form>
      );
      return { heading: orderHeading, body: form };
    }
    const body = (
      <>
        {isFirstHour(steps) && (
          <>
            <h2>С чего начать</h2>
            <ol>
              {firstSteps.map(({ step, name, href }) => (
                <li key={step}>{steps[step] ? `${name}: сделано` : <a href={href}>{name}</a>}</li>
              ))}
            </ol>
          </>
        )}
        <h2 id="about">О стене</h2>
        <Form act="settings" submit="Сохранить">
          <Field name="name" label="Имя стены" value={settings.name} />
          <Field name="line" label="Одной строкой о ней" value={settings.line} />
          <Field name="contact" label="Куда писать тем, кто ведёт стену" value={shownContact(settings.contact)} />
        </Form>
        <p>
          <a href={`${path}?order=1`}>{orderHeading}</a>{' '}
          <span className="quiet">{registrationModes.find(({ id }) => id === settings.registration)!.name}</span>
        </p>
        <h2 id="texts">Тексты</h2>
        <ul>
          {texts.map((each) => (
            <li key={each.name}>
              {isFile(each) ? textNames[each.name] : <a href={`${path}?text=${each.name}`}>{textNames[each.name]}</a>}{' '}
              <span className="quiet">{sourceNames[each.source]}</span>
            </li>
          ))}
        </ul>
        <h2>{keepersHeading}</h2>
        <Keepers keepers={keepers} />
        <p>
          <a href={`${path}?role=1`}>Назначить или снять</a>
        </p>
        <h2 id="mail">Почта</h2>
        <Form act="mail" submit="Отправить мне письмо" isQuiet />
        <h2>Здоровье</h2>
        <ul>
          {healthLines(health, (at) => `${relativeTime(at, now)} назад`).map(([name, value]) => (
            <li key={name}>
              {name}: {value}
            </li>
          ))}
        </ul>
      </>
    );
    return { heading, body };
  },
  acts: {
    ...keeperActs,
    async settings(context, { name = '', line = '', contact = '' }) {
      const { settings } = await context.call(getKeep, {});
      await context.call(putKeepSettings, { body: { ...settings, name, line, contact } });
      return done(context, 'Сохранено');
    },
    async terms(context, fields) {
      const terms = inviteTermNames.map(({ key }) => fields[key]?.trim() ?? '');
      if (!terms.every(isTerm)) throw formProblem(`Нужны числа. ${termRanges}`);
      const { settings } = await context.call(getKeep, {});
      const body = {
        ...settings,
        registration: modeOf(fields['registration']),
        readers: fields['readers'] === 'members' ? ('members' as const) : ('everyone' as const),
        pace: wallPaces.find((seconds) => String(seconds) === fields['pace']) ?? 0,
        report_letters: fields['letters'] !== 'off',
        invite_terms: termsOf(terms),
      };
      await context.call(putKeepSettings, { body });
      return done(context, 'Сохранено');
    },
    async gate(context, { gate_posts: posts, gate_hours: hours }) {
      const { settings } = await context.call(getKeep, {});
      const gate = { gate_posts: Number(posts), gate_hours: Number(hours) };
      await context.call(putKeepSettings, { body: { ...settings, ...gate } });
      return done(context, 'Сохранено', { to: here(context) });
    },
    // The page shows what was typed, as it will be, with a button that saves it.
    preview: async (context, { name = '', text = '' }) =>
      done(context, '', { to: here(context), fields: { name, text } }),
    async text(context, { text = '' }) {
      const params = { name: context.query.get('text') ?? '' };
      await context.call(putKeepText, { params, body: { markdown: text.trim() || null } });
      return done(context, 'Сохранено');
    },
    async mail(context) {
      const { findings } = await context.call(checkMail, {});
      return done(context, findings.map(described).join('. '));
    },
  },
});
