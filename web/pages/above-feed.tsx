import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { FormFields } from '#contract/page-data.ts';
import { nameActs, NameQuestion } from '../features/account/name-question.tsx';
import { useSession, useSessionState } from '../features/session/session.ts';
import { useLoaded } from '../features/session/use-loaded.ts';
import { FormHostContext } from '../forms/form-host.ts';
import { type Act, type PageContext, runAct } from '../forms/page-module.ts';
import { call } from '../lib/api.ts';
import { onDemand } from '../lib/on-demand.ts';
import { removeStored, writeStored } from '../lib/storage.ts';
import styles from './above-feed.module.css';

const stepsCode = onDemand(() => import('./wall/first-steps-card.tsx'));

const readSteps = () => Promise.all([call('GET /keep/steps', {}), stepsCode.load()]);

/** The steps and their code when the feed was last shown. */
let last: Awaited<ReturnType<typeof readSteps>> | undefined;

const readAgain = async () => (last = await readSteps());

interface OfUser {
  user: CurrentUser;
}

/** The cards above the posts: the first steps of the wall for owners, and the question about the name for a person without one. */
export function AboveFeed() {
  const state = useSessionState();
  if (state.is !== 'authorized') return null;
  const { user } = state;
  return user.role === 'owner' ? (
    <OwnersCards user={user} />
  ) : (
    <Cards acts={nameActs}>
      <NameCard user={user} />
    </Cards>
  );
}

const heightKey = 'above';

/** Stores the height of the cards. At the next visit a script in <head> reserves it. */
function storeHeight(height: number): void {
  document.documentElement.style.removeProperty('--above');
  if (height > 0) writeStored('localStorage', heightKey, String(Math.round(height)));
  else removeStored('localStorage', heightKey);
}

function OwnersCards({ user }: OfUser) {
  const { loaded, load } = useLoaded(readAgain, last);
  // Without the cards the place that is reserved for them would stay empty.
  useLayoutEffect(() => {
    if (loaded.is === 'failed') document.documentElement.style.removeProperty('--above');
  }, [loaded.is]);
  if (loaded.is !== 'here') return null;
  const [steps, { stepsActs, OwnersCard }] = loaded.value;
  return (
    <Cards acts={{ ...nameActs, ...stepsActs }} onDone={load}>
      <OwnersCard steps={steps} user={user}>
        <NameCard user={user} />
      </OwnersCard>
    </Cards>
  );
}

const NameCard = ({ user }: OfUser) => user.name_question && <NameQuestion user={user} />;

interface CardsProps {
  acts: Record<string, Act>;
  onDone?: () => Promise<void>;
  children: ReactNode;
}

/** Runs the acts of the cards' forms, and stores the height of the cards for the next visit. */
function Cards({ acts, onDone, children }: CardsProps) {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => storeHeight(entry!.contentRect.height));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const send = async (fields: FormFields) => {
    const { user: changed } = await runAct({ View: () => null, acts }, { call } as PageContext, fields);
    if (changed) session.changeUser(changed);
    await onDone?.();
  };
  return (
    <FormHostContext value={{ action: addresses.settingsProfile.href(), hidden: {}, sent: null, send }}>
      <div ref={box} className={styles.cards}>
        {children}
      </div>
    </FormHostContext>
  );
}
