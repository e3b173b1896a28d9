import { useEffect, useRef, useState } from 'react';
import { isNotFound } from '../../../lib/api-error.ts';
import { noBreaks } from '../../../lib/no-breaks.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { RadioGroup } from '../../../ui/radio-group.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { Form } from '../../../ui/form.tsx';
import { judgeText } from '../../posts/compose/judge-text.ts';
import { useFocusFirst } from '../../account/use-focus-first.ts';
import { useIsMounted, useRequest } from '../../session/use-request.ts';
import { type DeskAct, needsFreshCode } from './act.ts';
import styles from './act-dialog.module.css';
import { FreshCode } from './fresh-code.tsx';
import { useLeaveIfDismissed } from './use-leave-if-dismissed.ts';

interface ActDialogProps {
  /** Null while the dialog is closed. */
  act: DeskAct | null;
  onClose: () => void;
}

/** Asks for the reason of an act and, if the server requires it, for a code sent by mail. */
export function ActDialog({ act, onClose }: ActDialogProps) {
  return (
    <Dialog open={act !== null} title={act?.title} onClose={onClose}>
      {act && <ActForm act={act} onClose={onClose} />}
    </Dialog>
  );
}

const own = 'own';

function ActForm({ act, onClose }: { act: DeskAct; onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const isShown = useIsMounted();
  const leaveIfDismissed = useLeaveIfDismissed();
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [withOption, setWithOption] = useState(false);
  const [term, setTerm] = useState(act.terms?.choices.at(-1)!.id);
  const [awaitsCode, setAwaitsCode] = useState(false);
  useFocusFirst(awaitsCode, 'dialog[open] form');
  const { busy, error, send } = useRequest();
  const { text, problem, left } = judgeText(typed);
  const reason = chosen === own ? text : chosen;

  const carryOut = (because: string | null) =>
    send(async () => {
      if (because === null) return;
      try {
        await act.run(because, withOption, term);
      } catch (failure) {
        if (needsFreshCode(failure)) return setAwaitsCode(true);
        if (!isNotFound(failure)) throw failure;
        if (await leaveIfDismissed()) return;
        if (!act.onGone) throw failure;
        await act.onGone();
      }
      // The dialog may be closed, or show another act.
      if (isShown.current) onClose();
    });

  const isOwn = chosen === own;
  useEffect(() => {
    // Arrow keys walk through the choices of the other acts, which must not lose the focus.
    if (isOwn && act.isSwift) form.current?.querySelector('textarea')?.focus();
  }, [isOwn, act.isSwift]);

  if (awaitsCode) {
    const confirmed = () => {
      setAwaitsCode(false);
      void carryOut(reason);
    };
    return <FreshCode onConfirmed={confirmed} onLeave={() => setAwaitsCode(false)} />;
  }

  const tap = (ready: string) => {
    setChosen(ready);
    void carryOut(ready);
  };
  return (
    <Form ref={form} className={styles.form} onSubmit={() => carryOut(reason)}>
      <blockquote className={styles.about} dir="auto">
        {noBreaks(act.about)}
      </blockquote>
      {act.isSwift ? (
        <SwiftReasons act={act} chosen={chosen} busy={busy} onTap={tap} onOwn={() => setChosen(own)} />
      ) : (
        <RadioGroup
          legend={act.hint}
          choices={[...act.reasons.map((name) => ({ id: name, name })), { id: own, name: 'Другая причина' }]}
          chosen={chosen}
          disabled={busy}
          onChoose={setChosen}
        />
      )}
      {isOwn && (
        <TextArea
          label="Причина"
          value={typed}
          error={problem}
          left={left}
          readOnly={busy}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {act.terms && <RadioGroup {...act.terms} chosen={term ?? null} disabled={busy} onChoose={setTerm} />}
      {act.option !== undefined && (
        <label className={styles.option}>
          <input
            type="checkbox"
            className={styles.checkbox}
            checked={withOption}
            disabled={busy}
            onChange={(event) => setWithOption(event.target.checked)}
          />
          {act.option}
        </label>
      )}
      <FormError>{error}</FormError>
      {(!act.isSwift || isOwn || error !== null) && (
        <Button type="submit" variant={act.isDangerous ? 'danger' : 'primary'} disabled={reason === null} busy={busy}>
          {error === null ? act.label : 'Повторить'}
        </Button>
      )}
    </Form>
  );
}

interface SwiftReasonsProps {
  act: DeskAct;
  chosen: string | null;
  busy: boolean;
  onTap: (reason: string) => void;
  onOwn: () => void;
}

/** One tap carries the act out. After a failure the chosen reason stays marked. */
function SwiftReasons({ act, chosen, busy, onTap, onOwn }: SwiftReasonsProps) {
  const tap = (reason: string) => {
    if (!busy) onTap(reason);
  };
  return (
    <div role="group" aria-label={act.hint} className={styles.reasons}>
      <p className={styles.hint} aria-hidden="true">
        {act.hint}
      </p>
      {act.reasons.map((reason, index) => (
        <button
          key={reason}
          type="button"
          className={styles.reason}
          data-autofocus={index === 0 || undefined}
          aria-pressed={reason === chosen}
          aria-busy={busy && reason === chosen}
          aria-disabled={busy}
          onClick={() => tap(reason)}
        >
          {reason}
        </button>
      ))}
      {!act.hasNoOwnReason && (
        <button
          type="button"
          className={styles.reason}
          aria-expanded={chosen === own}
          aria-disabled={busy}
          onClick={() => {
            if (!busy) onOwn();
          }}
        >
          Другая причина…
        </button>
      )}
    </div>
  );
}
