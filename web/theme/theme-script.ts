import { themeColors, themeKey } from './theme.ts';

/**
 * Runs in <head>, after the theme-color meta and before anything is painted. The server's HTML is dark for everyone;
 * where storage is barred it stays so.
 */
export const themeScript: string = `try{if(localStorage.getItem('${themeKey}')==='light'){document.documentElement.dataset.theme='light';document.querySelector('meta[name="theme-color"]')?.setAttribute('content','${themeColors.light}')}}catch{}`;
