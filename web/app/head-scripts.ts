declare global {
  interface Window {
    noteFailure?: (event: Event) => void;
  }
}

/**
 * Runs in <head>. A browser that could not load a module named in the HTML may not request it again until the page is
 * reloaded, and Firefox runs what it got of a response that broke off. So the page is reloaded once; then it says what is
 * the matter, in a line that is no part of the HTML: text browsers would show it. The type of the navigation prevents a second
 * reload, also where storage is denied. Without a network a reload would replace what can be read. A page made for one person
 * works without the app: a reload would lose what was typed there and what it says once.
 */
export const failedStartScript: string = `addEventListener('error',noteFailure=({target:t,filename:f})=>{if(t.type!='module'&&!f?.includes('/assets/'))return;let d=document,s=d.documentElement.dataset,p=d.createElement('p'),a=d.createElement('a'),put=()=>d.body.append(p);if(navigator.onLine&&s.own==null&&performance.getEntriesByType('navigation')[0].type!='reload')location.reload();else if(s.failedStart==null){s.failedStart='';p.role='alert';p.className='failed-start';a.href='';a.textContent='Загрузить ещё раз';p.append('Страница загрузилась не полностью: часть кнопок не работает. ',a);d.readyState=='loading'?addEventListener('DOMContentLoaded',put):put()}},true)`;

/** Runs before it in <head> of a page made for one person. */
export const ownPageScript = `document.documentElement.dataset.own=''`;

/** From now on errors are not those of the start. Some browsers have requested the module again. */
export function reportStart(): void {
  const { noteFailure } = window;
  if (noteFailure) removeEventListener('error', noteFailure, true);
  delete window.noteFailure;
  delete document.documentElement.dataset['failedStart'];
  document.querySelector('.failed-start')?.remove();
}

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
