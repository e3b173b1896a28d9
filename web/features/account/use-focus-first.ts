import { useEffect, useRef } from 'react';

/** When another form takes the place of the one with the focus, its first control gets the focus. */
export function useFocusFirst(part: unknown, form = 'main form'): void {
  const shown = useRef(part);
  useEffect(() => {
    if (shown.current === part) return;
    shown.current = part;
    document.querySelector<HTMLElement>(`${form} :is(input, button)`)?.focus();
  }, [part, form]);
}
