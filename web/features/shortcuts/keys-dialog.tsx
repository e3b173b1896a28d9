import { useEffect, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './keys-dialog.module.css';
import { areShortcutsOn, shortcutOf, turnShortcuts } from './shortcut.ts';

/** `russian`: the letter on the same key of a Russian keyboard. */
const keys = [
  { key: 'J', russian: 'О', does: 'Следующая запись' },
  { key: 'K', russian: 'Л', does: 'Предыдущая запись' },
  { key: '⇧ J', russian: 'О', does: 'К следующей ветке' },
  { key: '⇧ K', russian: 'Л', does: 'К предыдущей ветке' },
  { key: 'F', russian: 'А', does: 'Скрыть или показать ответы ветки' },
  { key: 'L', russian: 'Д', does: 'Нравится' },
  { key: 'R', russian: 'К', does: 'Ответить' },
  { key: 'N', russian: 'Т', does: 'Новая запись' },
  { key: 'U', russian: 'Г', does: 'К новому с прошлого раза' },
  { key: 'Z', russian: 'Я', does: 'Вернуть удалённое, пока видно «Удалено»' },
  { key: '/', does: 'Поиск' },
  { key: '?', does: 'Этот список' },
];

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areShortcutsOn);

  useEffect(() => {
    const closeByKey = (event: KeyboardEvent) => {
      if (shortcutOf(event) !== '?') return;
      // Otherwise the shortcut would open the dialog again.
      event.preventDefault();
      onClose();
    };
    addEventListener('keydown', closeByKey, true);
    return () => removeEventListener('keydown', closeByKey, true);
  }, [onClose]);

  const turn = (wanted: boolean) => {
    turnShortcuts(wanted);
    setOn(wanted);
  };
  return (
    <Dialog open title="Клавиши" onClose={onClose}>
      <p className={styles.tip}>Действуют в любой раскладке, когда вы ничего не набираете.</p>
      <dl className={styles.keys} data-on={on}>
        {keys.map(({ key, russian, does }) => (
          <div key={key} className={styles.row}>
            <dt>
              <kbd className={styles.key}>
                {key}
                {russian && <span className={styles.russian}> {russian}</span>}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.setting}>
        <input type="checkbox" className={styles.box} checked={on} onChange={(event) => turn(event.target.checked)} />
        Клавиши включены
      </label>
    </Dialog>
  );
}
