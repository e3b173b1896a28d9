import { usePerform } from '../session/actions.ts';
import { useMuted, useMutes } from './mutes.ts';

/** Whether an author is muted, and a function that changes it. Visitors are asked to sign in first. */
export function useMuteToggle(authorId: string) {
  const perform = usePerform();
  const mutes = useMutes();
  const isMuted = useMuted(authorId);
  const toggle = () => {
    if (isMuted) void mutes.change(authorId, false);
    else perform({ kind: 'mute', authorId });
  };
  return { isMuted, toggle };
}
