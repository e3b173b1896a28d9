import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSessionState } from './session.ts';

/** Tells people who were signed in that they have been blocked. An open form keeps its text. */
export function BlockedDialog() {
  const session = useSessionState();
  const reason = session.is === 'signed-out' ? session.blocked : undefined;
  const [read, setRead] = useState<string>();
  const close = () => setRead(reason);
  return (
    <Dialog open={reason !== undefined && reason !== read} title="Вы вышли" onClose={close}>
      <p>{reason}</p>
      <p>Читать стену можно, как прежде.</p>
      <DialogButtons>
        <Button variant="primary" data-autofocus onClick={close}>
          Понятно
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
