import { Button } from '../ui/button.tsx';
import { useMuteToggle } from './use-mute-toggle.ts';

interface MuteButtonProps {
  authorId: string;
  /** What names them beside it: then its own words need not. */
  describedBy?: string;
}

export function MuteButton({ authorId, describedBy }: MuteButtonProps) {
  const { isMuted, toggle } = useMuteToggle(authorId);
  const action = isMuted ? 'Показывать' : 'Скрыть';
  return (
    <Button
      variant="plain"
      aria-describedby={describedBy}
      onClick={({ detail }) => {
        // The second click of a double one would take back the first.
        if (detail < 2) toggle();
      }}
    >
      {describedBy === undefined ? `${action} автора` : action}
    </Button>
  );
}
