import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsMuted = settingsPage({
  address: addresses.settingsMuted,
  heading: 'Скрытые',
  title: 'Скрытые авторы',
  shape: 'list',
  component: async () => (await import('../features/mutes/muted-page.tsx')).MutedPage,
});
