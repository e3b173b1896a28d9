import hidden from '../ui/hidden.module.css';
import styles from './reasons-skeleton.module.css';

const usual = 7;

/** The shape of the reasons on their way. */
export function ReasonsSkeleton() {
  return (
    <div className={styles.reasons}>
      <span className={hidden.always}>Загрузка</span>
      {Array.from({ length: usual }, (_, index) => (
        <span key={index} className={styles.reason} />
      ))}
    </div>
  );
}
