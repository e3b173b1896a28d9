import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsUsername = settingsPage({
  address: addresses.settingsUsername,
  heading: 'Имя пользователя',
  shape: 'form',
  component: async () => (await import('../features/account/username-page.tsx')).UsernamePage,
});
