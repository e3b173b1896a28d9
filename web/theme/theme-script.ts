import { themeColors, themeKey } from './theme.ts';

/**
 * Runs in <head>, after the theme-color meta and before the first paint. The server's HTML is dark for everyone and
 * stays dark when storage is not available.
 */
export const themeScript: string = `try{if(localStorage.getItem('${themeKey}')==='light'){document.documentElement.dataset.theme='light';document.querySelector('meta[name="theme-color"]')?.setAttribute('content','${themeColors.light}')}}catch{}`;
