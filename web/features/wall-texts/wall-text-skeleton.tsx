import styles from './wall-text-skeleton.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';

/** The shape of a text with paragraphs. */
export function WallTextSkeleton() {
  return (
    <div className={styles.lines}>
      <span className={visuallyHidden.always}>Загрузка</span>
      {Array.from({ length: 12 }, (_, index) => (
        <span key={index} className={styles.line} />
      ))}
    </div>
  );
}
