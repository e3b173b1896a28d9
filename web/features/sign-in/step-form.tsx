import type { ReactNode } from 'react';
import { Form } from '../../ui/form.tsx';
import styles from './step-form.module.css';

interface StepFormProps {
  /** The purpose of the form. It describes the first field together with the tip. */
  purpose?: string | undefined;
  tip: ReactNode;
  tipId: string;
  /** The id of the form's name. Not needed in a dialog, which has a name itself. */
  labelledBy?: string;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** One step of a flow: an explanation and the form below it. */
export function StepForm({ purpose, tip, tipId, labelledBy, onSubmit, children }: StepFormProps) {
  return (
    <Form className={styles.step} aria-labelledby={labelledBy} onSubmit={onSubmit}>
      <div id={tipId} className={styles.tip}>
        {purpose !== undefined && <p className={styles.purpose}>{purpose}</p>}
        <p>{tip}</p>
      </div>
      {children}
    </Form>
  );
}
