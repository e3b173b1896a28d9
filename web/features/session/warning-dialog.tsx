import { useState } from 'react';
import { readWarning } from '#contract/warning.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { ContactLine } from './contact-line.tsx';
import { useRequest } from './use-request.ts';

/** A moderator's warning to this person. Until the button is pressed, every page that is opened shows it. */
export function WarningDialog({ warning }: { warning: string }) {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  const { busy, error, send } = useRequest({ onClose: close });
  return (
    <Dialog open={open} title="Предупреждение" onClose={close}>
      <p dir="auto">{warning}</p>
      <p>Так вас предупреждают те, кто ведёт стену. Больше ничего не изменилось.</p>
      <ContactLine />
      <FormError>{error}</FormError>
      <DialogButtons>
        <Button
          variant="primary"
          data-autofocus
          busy={busy}
          onClick={() => void send(async () => void (await call(readWarning, {})))}
        >
          Понятно
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
