import { markFile } from '#contract/addresses.ts';
import type { ClientSettings } from '#contract/page-data.ts';

/** The icons on the tab of a page, as attributes of links. */
export const tabIcons = ({ mark }: Pick<ClientSettings, 'mark'>): readonly Record<string, string>[] =>
  mark
    ? [{ href: `${markFile.href()}?${encodeURIComponent(mark)}`, type: 'image/svg+xml' }]
    : [
        { href: '/favicon.ico', sizes: '32x32' },
        { href: '/favicon.svg', type: 'image/svg+xml' },
      ];
