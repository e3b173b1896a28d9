import { waitText } from '../lib/wait-text.ts';
import { Button } from '../ui/button.tsx';
import type { Operation } from './operation.ts';
import { useSecondsToWait } from './use-seconds-to-wait.ts';

interface ResendButtonProps {
  operation: Operation;
  /** Nothing else leads further: it is what the form is for now. */
  urgent: boolean;
  busy: boolean;
  onResend: () => void;
}

export function ResendButton({ operation, urgent, busy, onResend }: ResendButtonProps) {
  const wait = useSecondsToWait(operation);
  return (
    <Button
      {...(urgent ? { type: 'submit', variant: 'primary' } : { variant: 'plain', onClick: onResend })}
      disabled={wait > 0}
      busy={busy}
    >
      Отправить код ещё раз{wait > 0 && ` через ${waitText(wait)}`}
    </Button>
  );
}
