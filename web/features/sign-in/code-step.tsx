import { useEffect, useRef, useState } from 'react';
import type { MailState } from '#contract/sign-in.ts';
import { waitText } from '../../lib/wait-text.ts';
import { Button } from '../../ui/button.tsx';
import { FormField } from '../../ui/form-field.tsx';
import type { CodeFlow, CodeFlowState } from './code-flow.ts';
import { isWholeCode } from './code-in.ts';
import styles from './code-step.module.css';
import { type Operation, secondsToWait } from './operation.ts';
import { StepForm } from './step-form.tsx';
import { useMailState } from './use-mail-state.ts';

const destinations: Record<MailState, string> = {
  sending: 'Код придёт на',
  accepted: 'Код отправлен на',
  delayed: 'Код придёт на',
  refused: 'Не удалось отправить код на',
};

const mailTexts: Record<MailState, string> = {
  sending: 'Отправляем письмо…',
  accepted: 'Письмо принято почтовым сервером. Код — в начале его темы. Не видите письма? Загляните в «Спам».',
  delayed: 'Почтовый сервер пока не принял письмо. Пробуем ещё, код придёт чуть позже.',
  refused: 'Этот адрес не принимает почту. Проверьте его.',
};

export interface CodeStepProps {
  flow: CodeFlow;
  state: CodeFlowState;
  operation: Operation;
  tipId: string;
  /** The words on the button that sends the code. */
  action: string;
  /** The code destroys something. */
  isDangerous?: boolean;
  /** The words on the button that leads back to the first step. */
  leaving: string;
}

/** Asks for the code that was sent by mail, in a dialog or on a page. */
export function CodeStep({ flow, state, operation, tipId, action, isDangerous = false, leaving }: CodeStepProps) {
  const { code, rejected, expired, busy, error } = state;
  const mail = useMailState(operation.id, expired || busy === 'verify');
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => field.current?.focus(), [operation.id]);

  useEffect(() => {
    if (rejected) field.current?.select();
  }, [rejected]);

  const tip = (
    <>
      {destinations[mail]} <b>{operation.email}</b>
    </>
  );
  return (
    <StepForm tip={tip} tipId={tipId} onSubmit={expired ? flow.resend : flow.verify}>
      {!expired && (
        <p role="status" className={styles.mail} data-state={mail}>
          {mailTexts[mail]}
        </p>
      )}
      <FormField
        ref={field}
        label="Код из письма"
        error={error}
        describedBy={tipId}
        // No maxLength: it would shorten a pasted text before the digits are extracted.
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        readOnly={expired || busy !== null}
        onChange={(event) => void flow.setCode(event.target.value)}
      />
      {!expired && (
        <Button
          type="submit"
          variant={isDangerous ? 'danger' : 'primary'}
          disabled={!isWholeCode(code) || rejected}
          busy={busy === 'verify'}
        >
          {action}
        </Button>
      )}
      <div className={styles.others}>
        <ResendButton
          key={operation.id}
          operation={operation}
          primary={expired}
          busy={busy === 'start'}
          onResend={() => void flow.resend()}
        />
        <Button variant="plain" disabled={busy !== null} onClick={flow.leaveCode}>
          {leaving}
        </Button>
      </div>
    </StepForm>
  );
}

interface ResendButtonProps {
  operation: Operation;
  /** The form's only useful action. */
  primary: boolean;
  busy: boolean;
  onResend: () => void;
}

function ResendButton({ operation, primary, busy, onResend }: ResendButtonProps) {
  const wait = useSecondsToWait(operation);
  return (
    <Button
      {...(primary ? { type: 'submit', variant: 'primary' } : { variant: 'plain', onClick: onResend })}
      disabled={wait > 0}
      busy={busy}
    >
      Отправить код ещё раз{wait > 0 && ` через ${waitText(wait)}`}
    </Button>
  );
}

const tickMs = 500;

/** Counts down the seconds until another code may be requested. */
function useSecondsToWait(operation: Operation): number {
  const [now, setNow] = useState(() => Date.now());
  const left = secondsToWait(operation, now);
  const counting = left > 0;

  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [counting]);

  return left;
}
