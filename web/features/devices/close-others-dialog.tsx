import { Dialog } from '../../ui/dialog.tsx';
import { closeOtherSessions } from '#contract/sessions.ts';
import { call } from '../../lib/api.ts';
import { showToast } from '../../lib/toasts.ts';
import { ConfirmButtons } from '../../ui/dialog-buttons.tsx';
import { useRequest } from '../session/use-request.ts';

interface CloseOthersDialogProps {
  open: boolean;
  onClosed: () => void;
  onClose: () => void;
}

export function CloseOthersDialog({ open, onClosed, onClose }: CloseOthersDialogProps) {
  return (
    <Dialog open={open} title="Завершить другие сеансы?" onClose={onClose}>
      {open && <CloseOthersForm onClosed={onClosed} onClose={onClose} />}
    </Dialog>
  );
}

function CloseOthersForm({ onClosed, onClose }: Omit<CloseOthersDialogProps, 'open'>) {
  const { busy, error, send } = useRequest();
  const closeOnServer = async () => {
    await call(closeOtherSessions, {});
    showToast('Сессии завершены');
    onClosed();
  };

  return (
    <>
      <p>На всех других устройствах нужно будет войти заново. Этот сеанс останется.</p>
      <ConfirmButtons
        action="Завершить"
        {...{ busy, error }}
        onConfirm={() => send(closeOnServer)}
        onCancel={onClose}
      />
    </>
  );
}
