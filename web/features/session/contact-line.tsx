import { useClientSettings } from '../../lib/client-settings.ts';
import { WallTextLinks } from '../wall-texts/wall-text-links.tsx';
import styles from './contact-line.module.css';

/** Shows blocked people whom to write to and what the rules are. */
export function ContactLine() {
  const { contact } = useClientSettings();
  return (
    <>
      <p>
        Если это ошибка,{' '}
        {contact ? (
          <>
            напишите тем, кто ведёт стену:{' '}
            <a href={contact} className={styles.contact}>
              {contact.replace(/^(mailto:|https:\/\/)/, '')}
            </a>
          </>
        ) : (
          'скажите тем, кто ведёт стену.'
        )}
      </p>
      <WallTextLinks target="_blank" />
    </>
  );
}
