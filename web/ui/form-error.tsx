import { CountedText } from './counted-text.tsx';
import styles from './form-error.module.css';

/** What went wrong with a form that has no field to tell it under. The region stands before it speaks. */
export function FormError({ children }: { children: string | null }) {
  return (
    <p role="alert" className={styles.error}>
      <CountedText text={children} />
    </p>
  );
}
