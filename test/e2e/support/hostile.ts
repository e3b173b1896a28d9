import { splitLinks } from '#contract/links.ts';
import { expect, test } from './test.ts';

/** Every hostile text that executes calls this function. */
const attack = 'pwned()';

const elements = [
  `<script>${attack}</script>`,
  `<ScRiPt >${attack}</sCrIpT>`,
  `<script src=//evil.example/x.js></script>`,
  `<script src="data:text/javascript,${attack}"></script>`,
  `<script type=module>${attack}</script>`,
  `<img src=x onerror=${attack}>`,
  `<img src=x onerror="${attack}">`,
  `<img/src=x/onerror=${attack}//`,
  `<img src="http://evil.example/pixel.gif">`,
  `<image href=x onerror=${attack}>`,
  `<svg onload=${attack}>`,
  `<svg><script>${attack}</script></svg>`,
  `<svg><animate onbegin=${attack} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${attack}"><text y=20>x</text></a></svg>`,
  `<svg><foreignObject><body onload=${attack}></foreignObject></svg>`,
  `<body onload=${attack}>`,
  `<iframe src="javascript:${attack}"></iframe>`,
  `<iframe srcdoc="<script>parent.${attack}</script>"></iframe>`,
  `<object data="javascript:${attack}"></object>`,
  `<embed src="javascript:${attack}">`,
  `<a href="javascript:${attack}">сюда</a>`,
  `<form action="javascript:${attack}"><input type=submit></form>`,
  `<button formaction="javascript:${attack}">x</button>`,
  `<input autofocus onfocus=${attack}>`,
  `<details open ontoggle=${attack}>`,
  `<video><source onerror=${attack}></video>`,
  `<audio src=x onerror=${attack}>`,
  `<marquee onstart=${attack}>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${attack}">`,
  `<base href="http://evil.example/">`,
  `<link rel=stylesheet href="http://evil.example/x.css">`,
  `<style>@import "http://evil.example/x.css";</style>`,
  `<style>*{background:url(javascript:${attack})}</style>`,
  `<div style="background:url(javascript:${attack})">`,
  `<div style="position:fixed;inset:0;z-index:99999">`,
  `<template><script>${attack}</script></template>`,
  `<math><mtext><script>${attack}</script></mtext></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${attack}>">`,
  `<xss onclick=${attack} tabindex=1 autofocus onfocus=${attack}>`,
  `<portal src="javascript:${attack}">`,
];

/** Escapes from the contexts of a text: an element, an attribute, a script, JSON, a comment, a title. */
const escapes = [
  (payload: string) => payload,
  (payload: string) => `"'>${payload}`,
  (payload: string) => `</script></title></style></textarea></noscript>${payload}`,
  (payload: string) => `--></bdi></div><!--x-->${payload}`,
];

const others = [
  '</script>',
  '</SCRIPT\n>',
  '<!--<script>',
  '<!-- <script> --!>',
  ']]>',
  '<![CDATA[x]]>',
  '\u2028',
  'до\u2028после\u2029конец',
  '\\u003c/script\\u003e',
  '\\"};pwned();//',
  "'-pwned()-'",
  '${pwned()}',
  '{{constructor.constructor("pwned()")()}}',
  'javascript:pwned()',
  'JaVaScRiPt:pwned()',
  'data:text/html,<script>pwned()</script>',
  'vbscript:pwned()',
  'https://example.org/"onmouseover="pwned()',
  "https://example.org/'onmouseover='pwned()",
  'https://example.org/<script>pwned()</script>',
  'https://example.org/%22%3E%3Cscript%3Epwned()%3C/script%3E',
  'https://bank.example@evil.example/',
  'https://evil.example\\@bank.example/',
  'http://[::1]/',
  'https://пример.рф/путь?а=б',
  'http://\u202Egpj.evil.example/',
  'а\u202Eтекст наоборот\u202C б',
  '\u2066изоляция без конца',
  'Z̸̢̛͚͇̞͖̘̰̞̀̀̈́͊̔̀͛̚ă̵̛̗̙l̷͙͐g̶̖̓o̵̩͝',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '&lt;b&gt;&amp;&#60;script&#62;',
  '&quot; onload=&quot;pwned()',
  '%3Cscript%3Epwned()%3C/script%3E',
  '+ADw-script+AD4-pwned()+ADw-/script+AD4-',
  "$& $1 $` $' $$",
  '__proto__',
  'constructor',
  '[object Object]',
  'undefined',
  '"; DROP TABLE posts; --',
];

export const hostileTexts: string[] = [
  ...elements.flatMap((element) => escapes.map((escape) => escape(element))),
  ...others,
];

/** The rules for usernames reject these; pages must be safe without them. */
export const hostileNames: string[] = [
  `<script>${attack}</script>`,
  `"><img src=x onerror=${attack}>`,
  `' onmouseover='${attack}`,
  '../../settings',
  'javascript:pwned()',
  '</title><script>pwned()</script>',
  '\u202Emoderator',
  '//evil.example',
];

/** The visible form of a text: a link whose host reads like another one is shown with its ASCII host. */
export const asShown = (text: string): string =>
  splitLinks(text)
    .map((part) => part.shown ?? part.text)
    .join('');

declare global {
  interface Window {
    executed: string[];
    pwned(): void;
  }
}

/** Makes the tests of a file fail when a foreign script runs or the content security policy blocks one. */
export function nothingMayExecute(): void {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      window.executed = [];
      window.pwned = () => void window.executed.push('script');
      document.addEventListener('securitypolicyviolation', ({ blockedURI }) => window.executed.push(blockedURI));
    });
  });

  test.afterEach(async ({ page }) => {
    expect(await page.evaluate(() => window.executed)).toEqual([]);
  });
}
