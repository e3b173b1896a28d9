import type { ReactNode } from 'react';
import styles from './form-page.module.css';

interface FormPageProps {
  title: string;
  titleId: string;
  children: ReactNode;
}

/** A form that has a page to itself. */
export function FormPage({ title, titleId, children }: FormPageProps) {
  return (
    <div className={styles.page}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </div>
  );
}
