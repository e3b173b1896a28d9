import { type ReactNode, use, useId, useLayoutEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { type FormFields, shownContact } from '#contract/page-data.ts';
import type { MailOfCode, MailState } from '#contract/sign-in.ts';
import { Carried, Field } from '../../forms/fields.tsx';
import { FormHostContext, FormNameContext } from '../../forms/form-host.ts';
import styles from '../../forms/form.module.css';
import { Form } from '../../forms/form.tsx';
import { formProblem, type Outcome, type PageContext } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { useMounted } from '../../lib/observable.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { waitText } from '../../lib/counts.ts';
import { useMailState } from './use-mail-state.ts';

/** The code in a typed or pasted text: 'код 12-34 56' contains 123456. */
const codeIn = (text: string): string => text.replace(/\D/g, '').slice(0, limits.codeLength);

const isWholeCode = (code: string): boolean => code.length === limits.codeLength;

const destinations: Record<MailState, string> = {
  sending: 'Код придёт на',
  accepted: 'Код отправлен на',
  delayed: 'Код придёт на',
  refused: 'Не удалось отправить код на',
};

const mailTexts: Record<MailState, string> = {
  sending: 'Отправляем письмо…',
  accepted: 'Код — в теме письма. Нет письма? Посмотрите в «Спаме».',
  delayed: 'Письма сейчас не уходят: почтовый сервер их не принимает. Пробуем ещё: код придёт, как только получится.',
  refused: 'Этот адрес не принимает почту. Проверьте его.',
};

/** Without a mail server owners see the codes of new people. All codes appear in the output of the wall's server. */
const noMailText = (ask: string | undefined, contact: string | undefined): ReactNode =>
  ask !== undefined ? (
    <>
      Код покажет <b>{ask}</b>. Напишите или позвоните.
    </>
  ) : (
    <>
      Почта ещё не подключена. Код показан там, где запущена стена.{' '}
      {contact ? (
        <>
          Если запускали её не вы, спросите код: <a href={contact}>{shownContact(contact)}</a>
        </>
      ) : (
        'Если запускали её не вы, спросите код у того, кто запустил.'
      )}
    </>
  );

/** The codes of errors after which the person needs a new code. */
const dead = new Set(['MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED']);

/** The form's own fields. The server returns them with a refused form, but they are not carried on. */
const ofForm = new Set(['act', 'id', 'nonce', 'confirmCode']);

interface MailedCodeProps {
  /** The id of the operation that the code confirms. */
  id: string;
  /** The address to which the code was sent, unless `handed` has another one. */
  email: string;
  /** The fields that `toCode` returned with the address of this step. */
  handed: FormFields;
  /** The words on the button. */
  submit: string;
  /** The act that starts the operation again. */
  again?: string;
  /** The code destroys something, so typing the last digit does not send the form. */
  isDangerous?: boolean;
  /** A link away from this page, or an act that returns to the step before. */
  leaving: { href: string; name: string } | { act: string; name: string };
}

/** Asks for the code that was sent by mail. The page has the act `verify` and the act that `again` names. */
export function MailedCode({
  id,
  email,
  handed,
  submit,
  again = 'start',
  isDangerous = false,
  leaving,
}: MailedCodeProps) {
  /** The id of the operation if it accepts no code any more. */
  const [deadId, setDeadId] = useState('');
  const isDead = deadId === id;
  const sentTo = handed['sentTo'] ?? email;
  const tipId = useId();
  const mounted = useMounted();
  /** Whether the code was sent. The server may then remove the operation, so its mail is not polled. */
  const [isSent, setSent] = useState(false);
  const { mail: asMade } = use(FormHostContext);
  const [first] = useState<MailOfCode | undefined>(mounted ? { state: 'sending' } : asMade);
  const { state, ask } = useMailState(id, isDead || isSent, handed['client']) ?? first ?? {};
  const { codeResendSeconds, hasNoMail, contact } = useClientSettings();
  const wait = useSecondsUntil(Number(handed['at'] ?? 0) + codeResendSeconds);
  const carried = Object.entries(handed)
    .filter(([name]) => !ofForm.has(name))
    .map(([name, value]) => <Carried key={name} name={name} value={value} />);

  return (
    <>
      <p id={tipId} className={styles.tip}>
        {hasNoMail ? 'Код для' : destinations[state ?? 'sending']} <b>{sentTo}</b>
        {sentTo !== email && '. Адрес недавно меняли: пока смену можно отменить, коды приходят на прежний'}
      </p>
      {!isDead && (
        <p role="status" className={styles.note}>
          {/* Until the state is known the text is that of the usual state, so nothing moves. */}
          {hasNoMail ? noMailText(ask, contact) : mailTexts[state ?? 'accepted']}
          {asMade?.state === 'sending' && <noscript> Обновите страницу, чтобы узнать, ушло ли оно.</noscript>}
        </p>
      )}
      <Form
        act="verify"
        submit={isDead ? undefined : submit}
        variant={isDangerous ? 'danger' : 'primary'}
        errorAt="confirmCode"
        onSend={() => setSent(true)}
        onFailure={({ code }) => {
          setSent(false);
          if (dead.has(code ?? '')) setDeadId(id);
        }}
      >
        {carried}
        <Field
          key={id}
          name="confirmCode"
          label={hasNoMail ? 'Код' : 'Код из письма'}
          describedBy={tipId}
          inputMode="numeric"
          autoComplete="one-time-code"
          takesFocus
          isReadOnly={isDead}
          filter={codeIn}
          sendsAt={isDangerous ? undefined : limits.codeLength}
          check={isWhole}
        />
      </Form>
      {/* The heading of the page names only the form above. */}
      <FormNameContext value={undefined}>
        <Form
          act={again}
          submit={`Отправить код ещё раз${mounted && wait > 0 ? ` через ${waitText(wait)}` : ''}`}
          variant={isDead ? 'primary' : 'plain'}
          isDisabled={wait > 0}
        >
          {carried}
        </Form>
      </FormNameContext>
      {'href' in leaving ? (
        <a
          href={leaving.href}
          onClick={(event) => {
            event.preventDefault();
            location.replace(leaving.href);
          }}
        >
          {leaving.name}
        </a>
      ) : (
        <FormNameContext value={undefined}>
          <Form act={leaving.act} submit={leaving.name} variant="plain">
            {carried}
          </Form>
        </FormNameContext>
      )}
    </>
  );
}

const tickMs = 500;

/** Counts down the seconds until a time on the server's clock. A later correction of that clock does not change the countdown. */
function useSecondsUntil(moment: number): number {
  const [remaining, setRemaining] = useState(0);
  useLayoutEffect(() => {
    const end = performance.now() + (moment - serverNow()) * 1_000;
    const timer = setInterval(() => tick(), tickMs);
    const tick = () => {
      const seconds = Math.ceil((end - performance.now()) / 1_000);
      if (seconds <= 0) clearInterval(timer);
      setRemaining(Math.max(0, seconds));
    };
    tick();
    return () => clearInterval(timer);
  }, [moment]);
  return remaining;
}

const isWhole = (code: string) => ({ isGood: isWholeCode(code) });

/** Starts an operation, and leads to the step of the page at `path` that asks for the code. `handed` carries the client token of the start. */
export async function toCode(
  { clientToken, now }: Pick<PageContext, 'clientToken' | 'now'>,
  path: string,
  start: (body: { clientToken: string }) => Promise<{ id: string; email?: string }>,
  handed: FormFields = {},
): Promise<Outcome> {
  const client = await clientToken();
  const { id, email: sentTo } = await start({ clientToken: client });
  return {
    to: `${path}${path.includes('?') ? '&' : '?'}code=${encodeURIComponent(id)}`,
    handed: { ...handed, client, at: String(now()), ...(sentTo && { sentTo }) },
  };
}

/** The input of the call that verifies the code. */
export async function codeOf({ query, clientToken }: Pick<PageContext, 'query' | 'clientToken'>, fields: FormFields) {
  const confirmCode = codeIn(fields['confirmCode'] ?? '');
  if (!isWholeCode(confirmCode)) throw formProblem('Введите шесть цифр кода.');
  const body = { confirmCode, clientToken: fields['client'] ?? (await clientToken()) };
  return { params: { id: query.get('code') ?? '' }, body };
}
