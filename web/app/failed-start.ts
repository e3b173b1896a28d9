declare global {
  interface Window {
    noteFailure?: (event: Event) => void;
  }
}

/**
 * Runs in <head>. A browser that could not load a module named in the HTML may not request it again until the page is
 * reloaded, and Firefox runs what it got of a response that broke off. So the page is reloaded once; then it says what is
 * the matter. The type of the navigation prevents a second reload, also where storage is denied. Without a network a reload
 * would replace what can be read.
 */
export const failedStartScript: string = `addEventListener('error',noteFailure=({target:t,filename:f})=>{if(t.type!='module'&&!f?.includes('/assets/'))return;if(navigator.onLine&&performance.getEntriesByType('navigation')[0].type!='reload')location.reload();else{let d=document.documentElement.dataset;d.failedStart='';delete d.scripts}},true)`;

/** From now on errors are not those of the start. Some browsers have requested the module again. */
export function reportStart(): void {
  const { noteFailure } = window;
  if (noteFailure) removeEventListener('error', noteFailure, true);
  delete window.noteFailure;
  delete document.documentElement.dataset['failedStart'];
}

/**
 * Runs in <head> of a page that has a plain page beside it. That one is shown if the app has not started in time: the
 * connection may be frozen without an error.
 */
export const scriptsScript: string = `{let d=document.documentElement.dataset;d.scripts='';setTimeout(()=>window.noteFailure&&delete d.scripts,8e3)}`;
