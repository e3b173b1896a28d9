import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { FormField } from '../ui/form-field.tsx';
import styles from './code-step.module.css';
import { isWholeCode } from './confirm-code.ts';
import { MailLine } from './mail-line.tsx';
import type { Operation } from './operation.ts';
import { ResendButton } from './resend-button.tsx';
import type { SignInFlow, SignInState } from './sign-in-flow.ts';
import { StepForm } from './step-form.tsx';
import { useMailState } from './use-mail-state.ts';

interface CodeStepProps {
  flow: SignInFlow;
  state: SignInState;
  operation: Operation;
  tipId: string;
}

export function CodeStep({ flow, state, operation, tipId }: CodeStepProps) {
  const { code, refused, dead, busy, error } = state;
  const mail = useMailState(operation.id);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (refused) field.current?.select();
  }, [refused]);

  const tip = (
    <>
      Код отправлен на <b>{operation.email}</b>
    </>
  );
  return (
    <StepForm tip={tip} tipId={tipId} onSubmit={dead ? flow.resend : flow.verify}>
      {!dead && <MailLine state={mail} />}
      <FormField
        ref={field}
        data-autofocus
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
          Продолжить
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
        <Button variant="plain" disabled={busy !== null} onClick={flow.changeAddress}>
          Изменить адрес
        </Button>
      </div>
    </StepForm>
  );
}
