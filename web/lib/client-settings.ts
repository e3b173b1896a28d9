import type { ClientSettings } from '#contract/page.ts';
import { createRequiredContext } from './required-context.ts';

export const [ClientSettingsProvider, useClientSettings] = createRequiredContext<ClientSettings>();
