/**
 * Runs in <head> of a page that has a plain page beside it. That one is shown if the app has not started in time: the
 * connection may be frozen without an error.
 */
export const scriptsScript: string = `{let d=document.documentElement.dataset;d.scripts='';setTimeout(()=>window.noteFailure&&delete d.scripts,8e3)}`;
