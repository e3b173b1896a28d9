import type { ReactNode } from 'react';
import styles from './step-form.module.css';

interface StepFormProps {
  tip: ReactNode;
  tipId: string;
  /** The id of its name, where it is more than the one form of a dialog. */
  labelledBy?: string;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** One step: what it is about, and under it the form. */
export function StepForm({ tip, tipId, labelledBy, onSubmit, children }: StepFormProps) {
  return (
    <form
      className={styles.step}
      aria-labelledby={labelledBy}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      <p id={tipId} className={styles.tip}>
        {tip}
      </p>
      {children}
    </form>
  );
}
