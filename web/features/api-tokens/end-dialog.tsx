import type { ApiToken } from '#contract/api-tokens.ts';
import { ConfirmButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './end-dialog.module.css';

interface EndDialogProps {
  /** Null while the dialog is closed. */
  token: ApiToken | null;
  onEnd: (token: ApiToken) => void;
  onClose: () => void;
}

export function EndDialog({ token, onEnd, onClose }: EndDialogProps) {
  return (
    <Dialog open={token !== null} title="Завершить токен?" onClose={onClose}>
      {token && (
        <>
          <p className={styles.words}>
            Программа с токеном «<bdi>{token.name}</bdi>» сразу потеряет доступ. Вернуть токен нельзя, можно только
            создать новый.
          </p>
          <ConfirmButtons action="Завершить" onConfirm={() => onEnd(token)} onCancel={onClose} />
        </>
      )}
    </Dialog>
  );
}
