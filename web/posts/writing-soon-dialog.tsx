import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function WritingSoonDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="Скоро" onClose={onClose}>
      <p>Писать, отвечать и отмечать записи можно будет совсем скоро.</p>
      <Button variant="primary" data-autofocus onClick={onClose}>
        Понятно
      </Button>
    </Dialog>
  );
}
