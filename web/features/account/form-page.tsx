import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { showToast } from '../../lib/toasts.ts';
import styles from './form-page.module.css';

interface FormPageProps {
  title: string;
  titleId: string;
  children: ReactNode;
}

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

/** Shows a toast, and opens the settings unless the person has left them meanwhile. */
export function returnToSettings(toast: string): void {
  showToast(toast);
  // Replaces the form, so that Back does not return to it.
  const settings = addresses.settings.href();
  if (location.pathname.startsWith(`${settings}/`)) location.replace(settings);
}
