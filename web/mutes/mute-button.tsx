import { Button } from '../ui/button.tsx';
import { useMuteToggle } from './use-mute-toggle.ts';

interface MuteButtonProps {
  authorId: string;
  /** Whose name stands beside it. */
  describedBy?: string;
}

export function MuteButton({ authorId, describedBy }: MuteButtonProps) {
  const { isMuted, toggle } = useMuteToggle(authorId);
  return (
    <Button
      variant="plain"
      aria-describedby={describedBy}
      onClick={({ detail }) => {
        // The second click of a double one would take back the first.
        if (detail < 2) toggle();
      }}
    >
      {isMuted ? 'Показывать автора' : 'Скрыть автора'}
    </Button>
  );
}
