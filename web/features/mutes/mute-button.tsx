import { Button } from '../../ui/button.tsx';
import { useMuteToggle } from './mutes.ts';

interface MuteButtonProps {
  authorId: string;
  /** The id of the author's name beside the button. Without it the button itself says that it concerns an author. */
  describedBy?: string;
}

export function MuteButton({ authorId, describedBy }: MuteButtonProps) {
  const { isMuted, toggle } = useMuteToggle(authorId);
  const action = isMuted ? 'Показывать' : 'Не показывать';
  return (
    <Button
      variant="plain"
      aria-describedby={describedBy}
      onClick={({ detail }) => {
        // The second click of a double click would undo the first.
        if (detail < 2) toggle();
      }}
    >
      {describedBy === undefined ? `${action} автора` : action}
    </Button>
  );
}
