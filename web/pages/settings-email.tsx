import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsEmail = settingsPage({
  address: addresses.settingsEmail,
  heading: 'Электронная почта',
  shape: 'form',
  component: async () => (await import('../features/account/email-page.tsx')).EmailPage,
});
