import { type ClientSettings, unnamedWall } from '#contract/page-data.ts';
import { createRequiredContext } from './required-context.ts';

export const [ClientSettingsProvider, useClientSettings] = createRequiredContext<ClientSettings>();

/** Changes them in this tab. */
export const [ChangeSettingsProvider, useChangeSettings] =
  createRequiredContext<(changed: Partial<ClientSettings>) => void>();

/** The name of the wall, unless nobody has named it: then its name stands on the screen as the heading of the feed. */
export const nameOf = ({ appName }: Pick<ClientSettings, 'appName'>): string | false =>
  appName !== unnamedWall && appName;
