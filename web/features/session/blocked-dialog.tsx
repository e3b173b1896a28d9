import { useState } from 'react';
import { FormHostContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ContactLine } from './contact-line.tsx';
import { sayRead, warningAct } from './read-warning.ts';
import { useSession } from './session.ts';

/** A moderator's warning to this person. Every page shows it until the person presses the button. */
export function WarningDialog({ warning }: { warning: string }) {
  const session = useSession();
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  const send = async () => session.changeUser((await sayRead({ call })).user!);
  return (
    <Dialog open={open} title="Предупреждение" onClose={close}>
      <p dir="auto">{warning}</p>
      <p>Так вас предупреждают те, кто ведёт стену. Больше ничего не изменилось.</p>
      <ContactLine />
      <FormHostContext value={{ action: '', hidden: {}, sent: null, close, send }}>
        <Form act={warningAct} submit="Понятно" takesFocus />
      </FormHostContext>
    </Dialog>
  );
}

const title = 'Учётная запись заблокирована';

interface BlockedDialogProps {
  reason: string;
  open: boolean;
  onClose: () => void;
}

/** Informs people who were signed in that they have been blocked. An open form keeps its text. */
export function BlockedDialog({ reason, open, onClose }: BlockedDialogProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      {reason.startsWith(`${title}. `) && <p>{reason.slice(title.length + 2)}</p>}
      <p>Вы вышли. Читать стену можно, как прежде.</p>
      <ContactLine />
      <DialogButtons>
        <Button variant="primary" data-autofocus onClick={onClose}>
          Понятно
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
