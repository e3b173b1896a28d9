import { useState } from 'react';
import { isGeneratedUsername } from '#contract/username.ts';
import { useSessionState } from '../session/session.ts';
import { writeStored, readStored } from '../../lib/storage.ts';
import { onDemand, useOnDemand } from '../../lib/on-demand.ts';

const nameOffer = onDemand(async () => (await import('./name-offer.tsx')).NameOffer);

/** Offers people with a generated name to choose one, until they decline. */
export function NameOfferPlace() {
  const session = useSessionState();
  const [declined, setDeclined] = useState<string | null>(null);
  const user = session.is === 'authorized' && isGeneratedUsername(session.user.username) ? session.user : null;
  const key = `name-offer declined by ${user?.id}`;

  const isOpen = user !== null && declined !== user.id && readStored('localStorage', key) === null;
  const { thing: NameOffer } = useOnDemand(nameOffer, isOpen);

  if (!isOpen || !NameOffer) return null;

  const decline = () => {
    writeStored('localStorage', key, new Date().toISOString());
    setDeclined(user.id);
  };
  return <NameOffer username={user.username} onDecline={decline} />;
}
