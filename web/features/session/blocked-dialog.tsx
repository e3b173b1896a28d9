import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ContactLine } from './contact-line.tsx';

const title = 'Учётная запись заблокирована';

/** Informs people who were signed in that they have been blocked. An open form keeps its text. */
export function BlockedDialog({ reason }: { reason: string }) {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Dialog open={open} title={title} onClose={close}>
      {reason.startsWith(`${title}. `) && <p>{reason.slice(title.length + 2)}</p>}
      <p>Вы вышли. Читать стену можно, как прежде.</p>
      <ContactLine />
      <DialogButtons>
        <Button variant="primary" data-autofocus onClick={close}>
          Понятно
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
