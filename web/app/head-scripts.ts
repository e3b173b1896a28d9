declare global {
  interface Window {
    noteFailure?: (event: Event) => void;
  }
}

/**
 * Runs in <head>. When a module named in the HTML fails, the script reloads the page once. Without a reload a browser may not request
 * the module again, and Firefox runs the received part of a response that broke off. If a module fails after the reload too, or the
 * script does not reload, it shows a line. The line is not in the HTML, because text browsers would show it. The type of the navigation says whether the
 * page was reloaded, because storage may be denied. Without a network the script does not reload, because the page can be read. It
 * does not reload a page made for one person either: such a page works without the app, and a reload would lose input and messages
 * that are shown once.
 */
export const failedStartScript: string = `addEventListener('error',noteFailure=({target:t,filename:f})=>{if(t.type!='module'&&!f?.includes('/assets/'))return;let d=document,s=d.documentElement.dataset,p=d.createElement('p'),a=d.createElement('a'),put=()=>d.body.append(p);if(navigator.onLine&&s.own==null&&performance.getEntriesByType('navigation')[0].type!='reload')location.reload();else if(s.failedStart==null){s.failedStart='';p.role='alert';p.className='failed-start';a.href='';a.textContent='Загрузить ещё раз';p.append('Страница загрузилась не полностью: часть кнопок не работает. ',a);d.readyState=='loading'?addEventListener('DOMContentLoaded',put):put()}},true)`;

/** Runs in <head> of a page made for one person, before `failedStartScript`. */
export const ownPageScript = `document.documentElement.dataset.own=''`;

/**
 * Called when the app runs. Later errors are not those of the start, so the listener is removed. The line about a failed start is removed
 * too, because some browsers request the module again after a failure.
 */
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
 * Runs in <head>. Notes the last click before the app is hydrated, except on links and forms, which work without the app. A form
 * that the app handles (`data-later`) waits four seconds for the app and is then sent by the browser.
 */
export const earlyClickScript: string = `addEventListener('click',noteClick=e=>{let c=e.target.closest('a,button,article'),f=c?.form,l=f?.dataset.later&&document.documentElement.dataset.failedStart==null;clicked=c&&!c.href&&(l||!(f&&c.type=='submit'))?c:null;if(l){e.preventDefault();setTimeout(()=>window.clicked==c&&f.submit(),4e3)}})`;

/** Repeats the last early click after hydration. */
export function repeatEarlyClick(): void {
  const { noteClick, clicked } = window;
  if (noteClick) removeEventListener('click', noteClick);
  delete window.clicked;
  clicked?.click();
}
