import { onStoredElsewhere, readStored, writeStored } from '../lib/storage.ts';

export type Theme = 'dark' | 'light';

const themeKey = 'theme';

/** For the browser's own bars. The same values as `--ground` in dark.css and light.css. */
export const themeColors: Record<Theme, string> = { dark: '#1a1614', light: '#f9f6f1' };

export function currentTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark';
}

export function showTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', themeColors[theme]);
}

export function storeTheme(theme: Theme): void {
  writeStored('localStorage', themeKey, theme);
}

/** Called once, in the browser: a theme that was chosen in another tab or on another page is shown here too. */
export function watchTheme(): void {
  onStoredElsewhere(themeKey, () => showTheme(readStored('localStorage', themeKey) === 'light' ? 'light' : 'dark'));
}

/**
 * Runs in <head>, after the theme-color meta and before the first paint. The server's HTML is dark for everyone and
 * stays dark when storage is not available.
 */
export const themeScript: string = `try{if(localStorage.getItem('${themeKey}')==='light'){document.documentElement.dataset.theme='light';document.querySelector('meta[name="theme-color"]')?.setAttribute('content','${themeColors.light}')}}catch{}`;
