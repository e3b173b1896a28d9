import { useLayoutEffect } from 'react';
import { useMounted } from '../lib/clock.tsx';

/** Ends what the script in <head> stands in for, in the very render that brings the quiet lines. */
export function useOwnQuietLines(): void {
  const mounted = useMounted();
  useLayoutEffect(() => {
    if (mounted) document.adoptedStyleSheets = [];
  }, [mounted]);
}
