import { addresses } from '#contract/addresses.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './intro.module.css';
import { closeIntro } from './stored-intro.ts';

/** Says to first-time visitors what this is, in the operator's own words if there are any. */
export function Intro() {
  const { intro } = useClientSettings();
  return (
    <p className={styles.intro} data-own={intro && ''}>
      <span>
        {intro ?? 'Это лента коротких записей. Читать может каждый.'}{' '}
        <a href={addresses.wallText.href({ name: 'about' })}>Подробнее</a>
      </span>
      <button type="button" aria-label="Закрыть" onClick={closeIntro}>
        <Icon name="close" />
      </button>
    </p>
  );
}
