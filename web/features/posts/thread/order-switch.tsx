import styles from './thread.module.css';
import type { ThreadOrder } from '../store/thread-tree.ts';

const orders = [
  { order: 'newest', name: 'Сначала новые' },
  { order: 'oldest', name: 'Сначала старые' },
] as const;

/** The order of the direct replies. */
export function OrderSwitch({ order, onChoose }: { order: ThreadOrder; onChoose: (order: ThreadOrder) => void }) {
  return (
    <div className={styles.orders} role="group" aria-label="Порядок ответов">
      {orders.map((choice) => (
        <button
          key={choice.order}
          type="button"
          aria-pressed={choice.order === order}
          onClick={() => onChoose(choice.order)}
        >
          {choice.name}
        </button>
      ))}
    </div>
  );
}
