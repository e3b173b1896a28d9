import { useClientSettings } from '../../lib/client-settings.ts';
import { WallTextLinks } from '../wall-texts/wall-text-links.tsx';
import styles from './contact-line.module.css';

/** Says beside a block, a warning or a removed post whom to write to if it is a mistake. Links to the texts about the wall. */
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
