import type { OwnSession } from '#contract/sessions.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SessionDetails } from './session-details.tsx';

interface SessionDialogProps {
  /** Whose details are shown; null: closed. */
  session: OwnSession | null;
  /** It is over, by this click or already before. */
  onClosed: (session: OwnSession) => void;
  onClose: () => void;
}

export function SessionDialog({ session, onClosed, onClose }: SessionDialogProps) {
  return (
    <Dialog open={session !== null} title="Сеанс" onClose={onClose}>
      {session && <SessionDetails session={session} onClosed={onClosed} onClose={onClose} />}
    </Dialog>
  );
}
