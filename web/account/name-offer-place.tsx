import { useState } from 'react';
import { isGeneratedUsername } from '#contract/username.ts';
import { useSessionState } from '../auth/session-context.ts';
import { keep, kept } from '../lib/kept.ts';
import { onDemand, useOnDemand } from '../lib/on-demand.ts';

const nameOffer = onDemand(async () => (await import('./name-offer.tsx')).NameOffer);

/** Whoever has not chosen a name yet is offered to, until they decline; then never again. */
export function NameOfferPlace() {
  const session = useSessionState();
  const [declined, setDeclined] = useState<string | null>(null);
  const user = session.is === 'authorized' && isGeneratedUsername(session.user.username) ? session.user : null;
  const key = `name-offer declined by ${user?.id}`;

  const isOpen = user !== null && declined !== user.id && kept('localStorage', key) === null;
  const { thing: NameOffer } = useOnDemand(nameOffer, isOpen);

  if (!isOpen || !NameOffer) return null;

  const decline = () => {
    keep('localStorage', key, new Date().toISOString());
    setDeclined(user.id);
  };
  return <NameOffer username={user.username} onDecline={decline} />;
}
