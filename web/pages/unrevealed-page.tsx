import { useEffect } from 'react';
import type { PersonalRoute } from '../router/routes.ts';
import { LoadingPage } from './loading-page.tsx';

interface UnrevealedPageProps {
  of: PersonalRoute;
  onReveal: () => void;
}

/** A list whose reader has become known only now: the server, not knowing them, sent the page without it. */
export function UnrevealedPage({ of, onReveal }: UnrevealedPageProps) {
  useEffect(() => {
    onReveal();
  }, [onReveal]);
  return <LoadingPage of={of} />;
}
