import { useId } from 'react';
import { useClientSettings } from '../../lib/client-settings.ts';
import { FormField } from '../../ui/form-field.tsx';
import type { CodeFlow, CodeFlowState } from './code-flow.ts';
import styles from './step-form.module.css';
import { needsCode, whoMayCome } from './who-may-come.ts';

interface EntranceProps {
  flow: CodeFlow;
  state: CodeFlowState;
}

/** Under the field for the address: who may register, and where a code is needed the field for it. */
export function Entrance({ flow, state }: EntranceProps) {
  const { registration } = useClientSettings();
  const id = useId();
  return (
    <>
      <p id={id} className={styles.tip}>
        {whoMayCome[registration ?? 'open']}
      </p>
      {needsCode(registration) && <InviteField flow={flow} state={state} tipId={id} />}
    </>
  );
}

interface InviteFieldProps extends EntranceProps {
  tipId: string;
  error?: string | null;
  isFirst?: boolean;
}

export const InviteField = ({ flow, state, tipId, error = null, isFirst = false }: InviteFieldProps) => (
  <FormField
    label="Код приглашения"
    error={error}
    describedBy={tipId}
    data-autofocus={isFirst || undefined}
    autoCapitalize="characters"
    autoComplete="off"
    spellCheck={false}
    value={state.invite ?? ''}
    readOnly={state.busy !== null}
    onChange={(event) => flow.setInvite(event.target.value)}
  />
);
