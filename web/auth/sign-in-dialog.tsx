import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function SignInDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="Войти" onClose={onClose}>
      <p>Пока стену можно только читать: вход откроется совсем скоро.</p>
      <Button variant="primary" data-autofocus onClick={onClose}>
        Понятно
      </Button>
    </Dialog>
  );
}
