declare global {
  interface Window {
    noteClick?: (event: MouseEvent) => void;
    /** The last element clicked before hydration. */
    clicked?: HTMLElement | null;
  }
}

/**
 * Runs in <head>. On a slow network readers press buttons before the app is hydrated. Links and forms work without the app.
 * The form of a button that the app handles waits for the app for a while.
 */
export const earlyClickScript: string = `addEventListener('click',noteClick=e=>{let c=e.target.closest('a,button,article'),f=c?.form,l=f?.dataset.later&&document.documentElement.dataset.failedStart==null;clicked=c&&!c.href&&(l||!(f&&c.type=='submit'))?c:null;if(l){e.preventDefault();setTimeout(()=>window.clicked==c&&f.submit(),4e3)}})`;

/** Repeats the last early click after hydration. */
export function repeatEarlyClick(): void {
  const { noteClick, clicked } = window;
  if (noteClick) removeEventListener('click', noteClick);
  delete window.clicked;
  clicked?.click();
}
