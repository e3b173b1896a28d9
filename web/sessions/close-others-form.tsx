import { closeOtherSessions } from '#contract/sessions.ts';
import { call } from '../lib/api.ts';
import { showToast } from '../lib/toasts.ts';
import { Button } from '../ui/button.tsx';
import { DialogButtons } from '../ui/dialog-buttons.tsx';
import { FormError } from '../ui/form-error.tsx';
import { useClosing } from './use-closing.ts';

interface CloseOthersFormProps {
  onClosed: () => void;
  onClose: () => void;
}

export function CloseOthersForm({ onClosed, onClose }: CloseOthersFormProps) {
  const { busy, error, start } = useClosing(async () => {
    await call(closeOtherSessions, {});
    showToast('Сессии завершены');
    onClosed();
  });

  return (
    <>
      <p>На всех других устройствах нужно будет войти заново. Этот сеанс останется.</p>
      <FormError>{error}</FormError>
      <DialogButtons>
        <Button data-autofocus onClick={onClose}>
          Отмена
        </Button>
        <Button variant="primary" busy={busy} onClick={() => void start()}>
          Завершить
        </Button>
      </DialogButtons>
    </>
  );
}
