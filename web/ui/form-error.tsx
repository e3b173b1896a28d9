import { CountedText } from './counted-text.tsx';
import styles from './form-error.module.css';

/** The error of a form without a field to show it under. The region is always there, usually empty. */
export function FormError({ children }: { children: string | null }) {
  return (
    <p role="alert" className={styles.error}>
      <CountedText text={children} />
    </p>
  );
}
