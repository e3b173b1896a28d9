import { signInMarkKey } from '../auth/sign-in-mark.ts';
import { mutesKey } from './kept-mutes.ts';

/**
 * Runs in <head>. The HTML, the same for everyone, holds the posts of muted authors in full: until the app stands quiet
 * lines in their places, these rules make them as high as those and keep their words from being seen. Script may add
 * rules where the policy forbids `style=`. Cards whose author may not be hidden name none.
 */
export const mutedScript: string = `try{let[m,...a]=localStorage.getItem('${mutesKey}').split(' '),s=new CSSStyleSheet;if(a[0]&&m===localStorage.getItem('${signInMarkKey}')){a=':is('+a.map(i=>'[data-author="'+i+'"]')+')';s.replaceSync('article'+a+'{color:var(--ink-quiet);&>:nth-child(n+2){display:none}& [data-permalink]{visibility:hidden}}a'+a+'>:last-child{visibility:hidden;-webkit-line-clamp:1}');document.adoptedStyleSheets=[s]}}catch{}`;
