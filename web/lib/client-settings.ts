import { type ClientSettings, unnamedWall } from '#contract/page-data.ts';
import { createRequiredContext } from './required-context.ts';

export const [ClientSettingsProvider, useClientSettings] = createRequiredContext<ClientSettings>();

/** Changes the settings in this tab. */
export const [ChangeSettingsProvider, useChangeSettings] =
  createRequiredContext<(changed: Partial<ClientSettings>) => void>();

/** The name of the wall. False if nobody has named it: the usual name is the heading of the feed and need not be repeated. */
export const nameOf = ({ appName }: Pick<ClientSettings, 'appName'>): string | false =>
  appName !== unnamedWall && appName;
