import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsApiTokens = settingsPage({
  address: addresses.settingsApiTokens,
  heading: 'Токены для программ',
  shape: 'list',
  component: async () => (await import('../features/api-tokens/api-tokens-page.tsx')).ApiTokensPage,
});
