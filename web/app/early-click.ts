declare global {
  interface Window {
    noteClick?: (event: MouseEvent) => void;
    /** The last element clicked before hydration. */
    clicked?: HTMLElement | null;
  }
}

/**
 * Runs in <head>. On a slow network readers press buttons before the app is hydrated. Links and forms work without the app.
 */
export const earlyClickScript: string = `addEventListener('click',noteClick=e=>{let c=e.target.closest('a,button,article');clicked=c&&!c.href&&!(c.form&&c.type=='submit')?c:null})`;

/** Repeats the last early click after hydration. */
export function repeatEarlyClick(): void {
  const { noteClick, clicked } = window;
  if (noteClick) removeEventListener('click', noteClick);
  delete window.clicked;
  clicked?.click();
}
