import { useEffect, useRef } from 'react';
import type { MailState } from '#contract/auth.ts';
import { Button } from '../ui/button.tsx';
import { FormField } from '../ui/form-field.tsx';
import type { CodeEntry, CodeFlow } from './code-entry.ts';
import styles from './code-step.module.css';
import { isWholeCode } from './confirm-code.ts';
import { MailLine } from './mail-line.tsx';
import type { Operation } from './operation.ts';
import { ResendButton } from './resend-button.tsx';
import { StepForm } from './step-form.tsx';
import { useMailState } from './use-mail-state.ts';

const whereTo: Record<MailState, string> = {
  sending: 'Код придёт на',
  accepted: 'Код отправлен на',
  delayed: 'Код придёт на',
  refused: 'Не удалось отправить код на',
};

interface CodeStepProps {
  flow: CodeFlow;
  state: CodeEntry;
  operation: Operation;
  tipId: string;
  /** What the code is entered for. */
  action: string;
  /** The way back to what was before it. */
  leaving: string;
  onLeave: () => void;
}

/** Waits for the code that was mailed, in a dialog or on a page. */
export function CodeStep({ flow, state, operation, tipId, action, leaving, onLeave }: CodeStepProps) {
  const { code, refused, dead, busy, error } = state;
  const mail = useMailState(operation.id, dead || busy === 'verify');
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => field.current?.focus(), [operation.id]);

  useEffect(() => {
    if (refused) field.current?.select();
  }, [refused]);

  const tip = (
    <>
      {whereTo[mail]} <b>{operation.email}</b>
    </>
  );
  return (
    <StepForm tip={tip} tipId={tipId} onSubmit={dead ? flow.resend : flow.verify}>
      {!dead && <MailLine state={mail} />}
      <FormField
        ref={field}
        label="Код из письма"
        error={error}
        describedBy={tipId}
        // No maxLength: it would cut a pasted text before the digits are picked out of it.
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        readOnly={dead || busy !== null}
        onChange={(event) => void flow.setCode(event.target.value)}
      />
      {!dead && (
        <Button type="submit" variant="primary" disabled={!isWholeCode(code) || refused} busy={busy === 'verify'}>
          {action}
        </Button>
      )}
      <div className={styles.others}>
        <ResendButton
          key={operation.id}
          operation={operation}
          urgent={dead}
          busy={busy === 'start'}
          onResend={() => void flow.resend()}
        />
        <Button variant="plain" disabled={busy !== null} onClick={onLeave}>
          {leaving}
        </Button>
      </div>
    </StepForm>
  );
}
