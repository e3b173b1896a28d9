declare global {
  interface Window {
    noteClick?: (event: MouseEvent) => void;
    /** What was clicked last before the app was there. */
    clicked?: HTMLElement | null;
  }
}

/**
 * Runs in <head>: on a slow network the page is read, and its buttons are pressed, before the app is there to answer.
 * Links need nobody to.
 */
export const earlyClickScript: string = `addEventListener('click',noteClick=e=>{let c=e.target.closest('a,button,article');clicked=c&&!c.href?c:null})`;

/** The last click counts, once the page is the app's. */
export function answerEarlyClick(): void {
  const { noteClick, clicked } = window;
  if (noteClick) removeEventListener('click', noteClick);
  delete window.clicked;
  clicked?.click();
}
