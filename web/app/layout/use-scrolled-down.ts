import { useEffect, useState } from 'react';
import { listen } from '../../lib/listen.ts';

/** Shorter movements do not count, in px. */
const threshold = 12;

/** Whether the page was last scrolled down rather than up. Near its top it never counts as scrolled. */
export function useScrolledDown(): boolean {
  const [down, setDown] = useState(false);

  useEffect(() => {
    let turnedAt = scrollY;
    const look = () => {
      const end = document.documentElement.scrollHeight - innerHeight;
      // Rubber-band scrolling leaves the page's bounds and returns by itself.
      const y = Math.max(0, Math.min(scrollY, end));
      if (y < threshold) setDown(false);
      else if (Math.abs(y - turnedAt) < threshold) return;
      else setDown(y > turnedAt);
      turnedAt = y;
    };
    return listen(window, ['scroll'], look);
  }, []);

  return down;
}
