import type { ComponentType } from 'react';
import { type Address, addresses } from '#contract/addresses.ts';
import '../features/account/form-page.module.css';
import { namedOnDemand, type OnDemand } from '../lib/on-demand.ts';
import type { Page } from '../router/page.ts';

/** Makes the page of a mailed link, whose form works without a session, or the page with the outcome of that form. */
const mailedLink =
  <Outcome extends string>(title: string, part: OnDemand<ComponentType<{ outcome: Outcome | null }>>) =>
  <P extends { outcome?: Outcome }>(address: Address<P>): Page<P> => ({
    address,
    access: 'public',
    describe: () => ({ heading: 'Электронная почта', title }),
    load: async () => {
      await part.load();
      return {};
    },
    Component({ params }) {
      const Part = part.here()!;
      return <Part outcome={params.outcome ?? null} />;
    },
    prefetch: part.load,
  });

const undoing = mailedLink(
  'Отмена смены адреса',
  namedOnDemand(() => import('../features/account/mailed-link.tsx'), 'EmailUndoPage'),
);
const unsubscribing = mailedLink(
  'Отписка от писем',
  namedOnDemand(() => import('../features/account/mailed-link.tsx'), 'UnsubscribePage'),
);

/** Pages that undo a change of an account's email address, and pages that end letters with notifications. */
export const mailedLinks = [
  undoing(addresses.undoEmail),
  undoing(addresses.undoEmailOutcome),
  unsubscribing(addresses.unsubscribe),
  unsubscribing(addresses.unsubscribeOutcome),
];
