import { type ReactNode, useId } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { FirstSteps, StepsAndMail, WaitingCodes } from '#contract/wall-admin.ts';
import type { ClientSettings } from '#contract/page-data.ts';
import { shownName } from '#contract/username.ts';
import { MailTruth } from '../../features/mail-state/mail-truth.tsx';
import { Carried } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import type { Act } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import button from '../../ui/button.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import styles from './first-steps-card.module.css';
import { whoWords } from './save-settings.ts';

export type StepId = 'about' | 'name' | 'rules' | 'post' | 'invite';

interface Step {
  id: StepId;
  /** The name of the step, and the heading of its page. */
  name: string;
  hint: string;
  /** The words of the link to the page of the step when it is the next one. */
  action: string;
  /** The words that replace the name once the step is done. */
  done(steps: FirstSteps, shown: { settings: ClientSettings; user: CurrentUser }): string;
}

export const firstSteps: readonly Step[] = [
  {
    id: 'about',
    name: 'Чья это стена',
    hint: 'Имя, значок, одна строка и кто может прийти.',
    action: 'Назвать стену',
    done: (_, { settings: { appName, isClosed, registration } }) =>
      `${appName} · ${whoWords({ registration, readers: isClosed ? 'members' : 'everyone' })}`,
  },
  {
    id: 'name',
    name: 'Как вас называть',
    hint: 'Люди увидят, кто их зовёт.',
    action: 'Назваться',
    done: ({ name }, { user }) => `${shownName(user) === name ? 'Вас' : 'Владельца'} зовут ${name}`,
  },
  {
    id: 'rules',
    name: 'Правила',
    hint: 'Пять коротких уже готовы, их можно поправить.',
    action: 'Выбрать правила',
    done: () => 'Правила есть',
  },
  {
    id: 'post',
    name: 'Первая запись',
    hint: 'Люди придут на неё посмотреть. Начало уже написано.',
    action: 'Написать',
    done: () => 'Первая запись есть',
  },
  {
    id: 'invite',
    name: 'Позвать людей',
    hint: 'Ссылка в чат или объявление с QR-кодом.',
    action: 'Позвать',
    done: () => 'Ссылка готова',
  },
];

export const stepHref = (id: StepId): string => addresses.keep.href({}, { step: id });

/** Whether the steps are shown above the feed and on the owner's page. */
export const areShown = (steps: FirstSteps): boolean => !steps.is_hidden && firstSteps.some(({ id }) => !steps[id]);

export const stepsActs = {
  async hideSteps({ call }, { hidden = '' }) {
    await call('PUT /keep/steps', { body: { is_hidden: hidden !== '' } });
    return {};
  },
} satisfies Record<string, Act>;

/** Hides the steps for all owners, or shows them again. */
export const HideSteps = ({ isHidden }: { isHidden: boolean }) => (
  <Form act="hideSteps" submit={isHidden ? 'Скрыть' : 'Показать первые шаги'} variant="plain">
    <Carried name="hidden" value={isHidden ? '1' : ''} />
  </Form>
);

const remainingWords = [
  '',
  'остался один шаг',
  'осталось два шага',
  'осталось три шага',
  'осталось четыре шага',
  'осталось пять шагов',
];

/** A bar with `count` of the steps filled. */
export const Progress = ({ count }: { count: number }) => (
  <div className={styles.progress} aria-hidden="true">
    {firstSteps.map((step, index) => (
      <span key={step.id} data-done={index < count} />
    ))}
  </div>
);

interface OwnersCardProps {
  steps: StepsAndMail;
  codes?: WaitingCodes['codes'] | undefined;
  user: CurrentUser;
  /** Stands in place of the first steps when they are not shown. */
  children?: ReactNode;
}

/** What an owner has to know first: whether letters leave, who waits for a code, and the first steps. */
export const OwnersCard = ({ steps, codes, user, children }: OwnersCardProps) => (
  <>
    <MailTruth mail={steps.mail} codes={codes} />
    {areShown(steps) ? <FirstStepsCard steps={steps} user={user} /> : children}
  </>
);

/** The next steps that a new wall needs, with the progress of its owners. */
function FirstStepsCard({ steps, user }: { steps: FirstSteps; user: CurrentUser }) {
  const settings = useClientSettings();
  const id = useId();
  const todo = firstSteps.filter((step) => !steps[step.id]);
  const count = firstSteps.length - todo.length;
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        До первых людей {remainingWords[todo.length]}
      </h2>
      <Progress count={count} />
      <p className={styles.quiet}>
        {count} из {firstSteps.length} · видят только владельцы
      </p>
      <ol className={styles.steps}>
        {firstSteps.map((step, index) => (
          <li
            key={step.id}
            className={styles.step}
            data-is={steps[step.id] ? 'done' : step === todo[0] ? 'next' : 'later'}
          >
            <span className={styles.number} aria-hidden="true">
              {steps[step.id] ? '✓' : index + 1}
            </span>
            {steps[step.id] ? (
              <a href={stepHref(step.id)} className={styles.name}>
                <span className={visuallyHidden.always}>Сделано: </span>
                {step.done(steps, { settings, user })}
              </a>
            ) : step === todo[0] ? (
              <div className={styles.next}>
                <b>{step.name}</b>
                <p className={styles.quiet}>{step.hint}</p>
                <a href={stepHref(step.id)} className={button.button} data-variant="primary">
                  {step.action}
                </a>
              </div>
            ) : (
              <a href={stepHref(step.id)} className={styles.name}>
                {step.name}
              </a>
            )}
          </li>
        ))}
      </ol>
      <HideSteps isHidden />
    </section>
  );
}
