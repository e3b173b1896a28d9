import { use } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { FormFields } from '#contract/page-data.ts';
import { ApiError } from '#client/api-error.ts';
import { nameActs, NameQuestion } from '../../features/account/name-question.tsx';
import { alreadyDone, needsFreshCode } from '../../features/moderation/show-decision.ts';
import { blockDays } from '#contract/limits.ts';
import { type KeeperForm, keeperForm } from '../../features/moderation/keeper-forms.ts';
import { judgeText } from '../../features/posts/compose/typed-text.ts';
import { codeOf, MailedCode, toCode } from '../../features/sign-in/mailed-code.tsx';
import { Carried, Choices, FormPage, Switch, TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { FormStateContext } from '../../forms/form-host.ts';
import { formProblem, localPath, type Outcome, page, type PageContext } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import styles from './keeper-act.module.css';

type Context = PageContext<{ name: string }>;

const ofIn = ({ query }: Pick<Context, 'query'>): string => query.get('of') ?? '';

/** The page that the form was opened from, or the usual page after the act. */
function away({ query }: Pick<Context, 'query'>, act: KeeperForm): string {
  const next = query.get('next');
  return next === null ? act.leadsTo(ofIn({ query })) : localPath(next);
}

const own = 'own';

/** The form of an act asks for its reason and, if the server requires it, for a code sent by mail. */
export const actOfKeeper = page({
  async load(context: Context) {
    const { about, leadsTo: _leadsTo, run: _run, whenGone: _whenGone, ...act } = keeperForm(context);
    const of = ofIn(context);
    const { name } = context.params;
    return { title: act.title, act, about: await about(context, of), appoints: name.startsWith('appoint') };
  },
  View({ user, query, handed, act, about, appoints }) {
    const id = query.get('code');
    if (appoints && user.name_question)
      return <NameQuestion user={user} why="Назначение видно в журнале: там будет ваше имя." />;
    return (
      <FormPage>
        {about !== '' && (
          <blockquote className={styles.about} dir="auto">
            {about}
          </blockquote>
        )}
        {id !== null ? (
          <MailedCode
            id={id}
            email={user.email}
            handed={handed}
            submit="Подтвердить"
            again="resend"
            leaving={{ act: 'back', name: 'Вернуться' }}
          />
        ) : act.isSwift ? (
          <SwiftForm act={act} />
        ) : (
          <ReasonForm key={handed['reason']} act={act} chosen={handed} />
        )}
      </FormPage>
    );
  },
  acts: {
    ...nameActs,
    decide: (context: Context, fields) => decide(context, fields),
    resend: (context: Context, fields) => toFreshCode(context, fields),
    async back(context: Context, fields) {
      const { client = '', at = '' } = fields;
      const operation = context.query.get('code') ?? '';
      return { to: pathOf(context), handed: { ...chosenIn(fields, keeperForm(context)), operation, client, at } };
    },
    async verify(context: Context, fields) {
      const input = await codeOf(context, fields);
      const refusal = await context.call('POST /moderation/confirmation/{id}/verify', input).then(
        () => null,
        (error: unknown) => error,
      );
      // OPERATION_EXPIRED may mean that an earlier attempt used the code and only its response was lost, so the act is tried.
      if (refusal && !(refusal instanceof ApiError && refusal.code === 'OPERATION_EXPIRED')) throw refusal;
      return decide(context, fields, refusal);
    },
  },
});

type Shown = Omit<KeeperForm, 'about' | 'leadsTo' | 'run' | 'whenGone'>;

const OwnReason = ({ typed = '' }) => <TextField name="own" label="Причина" value={typed} check={judgeReason} />;

const judgeReason = (typed: string) => {
  const { text, problem, remaining } = judgeText(typed);
  return { isGood: text !== null || typed === '', problem, remaining };
};

/** A form in which one tap on a reason runs the act. */
function SwiftForm({ act: { title, hint, reasons, hasNoOwnReason, isDangerous } }: { act: Shown }) {
  return (
    <>
      <Form act="decide" submit={undefined}>
        <div role="group" aria-label={hint} className={styles.reasons}>
          <p className={styles.hint} aria-hidden="true">
            {hint}
          </p>
          {reasons.map((reason, index) => (
            // The <div> gives each reason a line of its own in text browsers.
            <div key={reason}>
              <ReasonButton reason={reason} takesFocus={index === 0} />
            </div>
          ))}
        </div>
      </Form>
      {!hasNoOwnReason && (
        <details className={styles.own}>
          <summary className={styles.reason}>Другая причина…</summary>
          <Form act="decide" id={own} submit={title} variant={isDangerous ? 'danger' : 'primary'}>
            <OwnReason />
          </Form>
        </details>
      )}
    </>
  );
}

function ReasonButton({ reason, takesFocus }: { reason: string; takesFocus: boolean }) {
  const { isBusy } = use(FormStateContext);
  return (
    <button
      type="submit"
      name="reason"
      value={reason}
      className={styles.reason}
      data-autofocus={takesFocus || undefined}
      aria-disabled={isBusy || undefined}
    >
      {reason}
    </button>
  );
}

interface ReasonFormProps {
  act: Shown;
  /** The fields that were filled in before the step that asks for the code. */
  chosen: FormFields;
}

/** The choices for how long a block lasts. A week is proposed. */
const terms = [
  ...blockDays.map((days) => ({ id: String(days), name: days === 1 ? 'На день' : `На ${days} дней` })),
  { id: 'none', name: 'Пока не снимут' },
];

function ReasonForm({ act: { title, hint, reasons, isDangerous, fields = {} }, chosen }: ReasonFormProps) {
  const { days, ...flags } = fields;
  const choices = [...reasons.map((name) => ({ id: name, name })), { id: own, name: 'Другая причина' }];
  return (
    <Form act="decide" submit={title} variant={isDangerous ? 'danger' : 'primary'}>
      <Choices name="reason" legend={hint} choices={choices} chosen={chosen['reason']} isRequired />
      <div className={styles.ownText}>
        <OwnReason typed={chosen['own']} />
      </div>
      {['operation', 'client', 'at'].map((name) => (
        <Carried key={name} name={name} value={chosen[name] ?? ''} />
      ))}
      {days !== undefined && <Choices name="days" legend={days} choices={terms} chosen={chosen['days'] ?? '7'} />}
      {Object.entries(flags).map(([name, label]) => (
        <Switch key={name} name={name} label={label} isOn={name in chosen} />
      ))}
    </Form>
  );
}

function reasonOf({ reason = own, own: typed = '' }: FormFields): string {
  const given = reason === own ? typed.trim() : reason;
  if (given === '') throw formProblem('Выберите причину или напишите свою.');
  return given;
}

/** Runs the act. `refusal`: the error of the code that was just sent. It is thrown if the server still asks for a fresh code. */
async function decide(context: Context, fields: FormFields, refusal: unknown = null): Promise<Outcome> {
  const act = keeperForm(context);
  const of = ofIn(context);
  try {
    const done = await act.run(context, { subject: of, reason: reasonOf(fields), fields });
    const message = done.decision?.id === null ? alreadyDone : done.message;
    return { to: away(context, act), ...done, ...(message !== undefined && { message }) };
  } catch (error) {
    if (isNotFound(error)) return gone(context, act, error);
    if (!needsFreshCode(error)) throw error;
    if (refusal) throw refusal;
    return toFreshCode(context, fields);
  }
}

/** The outcome of NOT_FOUND. A dismissed moderator gets it too, because the calls of the desk do not exist for others. */
async function gone(context: Context, act: KeeperForm, error: unknown): Promise<Outcome> {
  const { role } = await context.call('GET /users/current', {});
  const to = away(context, act);
  // `to` does not exist for this person any more, so it shows the not-found notice.
  if (role === undefined) return { message: 'Вы больше не ведёте стену', to, user: { role: undefined } };
  if (!act.whenGone) throw error;
  return { to, ...act.whenGone(ofIn(context)) };
}

function pathOf(context: Context): string {
  const next = context.query.get('next');
  return addresses.keeperAct.href(context.params, { of: ofIn(context), ...(next !== null && { next }) });
}

/** The fields that the step with the code carries on: the reason and the choices. */
const chosenIn = ({ reason = '', own: typed = '', ...sent }: FormFields, act: KeeperForm): FormFields => ({
  reason,
  own: typed,
  ...Object.fromEntries(Object.entries(sent).filter(([name]) => name in (act.fields ?? {}))),
});

/** Acts on accounts need a code that is at most 15 minutes old. */
async function toFreshCode(context: Context, fields: FormFields): Promise<Outcome> {
  const { operation = '', client = '', at = '' } = fields;
  const to = pathOf(context);
  const chosen = chosenIn(fields, keeperForm(context));
  // A code that was already sent stays valid when the person returns to the form.
  if (operation !== '') return { to: `${to}&code=${encodeURIComponent(operation)}`, handed: { ...chosen, client, at } };
  const start = (body: { clientToken: string }) => context.call('POST /moderation/confirmation', { body });
  return toCode(context, to, start, chosen);
}
