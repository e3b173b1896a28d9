import skeleton from './skeleton.module.css';
import visuallyHidden from './visually-hidden.module.css';
import styles from './groups-skeleton.module.css';

/** The skeleton of two groups of rows, one and two long. */
export function GroupsSkeleton() {
  return (
    <div className={skeleton.skeleton} aria-busy="true">
      <span className={visuallyHidden.always}>Загрузка</span>
      <Group sessions={1} />
      <Group sessions={2} />
    </div>
  );
}

function Group({ sessions }: { sessions: number }) {
  return (
    <div aria-hidden="true">
      <div className={styles.heading}>
        <span />
      </div>
      {Array.from({ length: sessions }, (_, index) => (
        <div key={index} className={styles.session}>
          <span className={styles.name} />
          <span className={styles.detail} />
          <span className={styles.detail} />
        </div>
      ))}
    </div>
  );
}
