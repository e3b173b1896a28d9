import { useEffect } from 'react';
import { useSession, useSessionState } from '../auth/session-context.ts';
import { useOnDemand } from '../lib/on-demand.ts';
import type { SettingsRoute } from '../router/routes.ts';
import { FailedPage } from './failed-page.tsx';
import { LoadingPage } from './loading-page.tsx';
import { settingsPages } from './settings.ts';

/** The settings of whoever is signed in; their code may have to come first. */
export function SettingsArea({ of }: { of: SettingsRoute }) {
  const session = useSession();
  const state = useSessionState();
  const { thing: SettingsPages, failure, retry } = useOnDemand(settingsPages, true);

  // Nothing else here asks the server before something is changed.
  useEffect(() => void session.confirm(), [session, of.name]);

  if (failure !== null) return <FailedPage message={failure} onRetry={retry} />;
  if (SettingsPages === undefined || state.is !== 'authorized') return <LoadingPage of={of} />;
  return <SettingsPages of={of} user={state.user} />;
}
