import { Dialog } from '../ui/dialog.tsx';
import { CloseOthersForm } from './close-others-form.tsx';

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
