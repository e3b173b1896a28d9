import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  /** The anchor of links to it. */
  id: string;
  title: string;
  children: ReactNode;
}

/** A part of the page with a heading. */
export function Section({ id, title, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} className={styles.section} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}
