import type { ReactNode } from 'react';
import styles from './step-form.module.css';

interface StepFormProps {
  tip: ReactNode;
  tipId: string;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** One step of signing in: what it is about, and under it the form. */
export function StepForm({ tip, tipId, onSubmit, children }: StepFormProps) {
  return (
    <form
      className={styles.step}
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
