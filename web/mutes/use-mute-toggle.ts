import { useIntend } from '../auth/intent-context.ts';
import { useMuted, useMutes } from './mutes-context.ts';

/** Whether an author is muted, and how to change that; a visitor is asked to sign in first. */
export function useMuteToggle(authorId: string) {
  const intend = useIntend();
  const mutes = useMutes();
  const isMuted = useMuted(authorId);
  const toggle = () => {
    if (isMuted) void mutes.change(authorId, false);
    else intend({ kind: 'mute', authorId });
  };
  return { isMuted, toggle };
}
