import type { ComponentType, ReactNode } from 'react';
import { type Address, addresses } from '#contract/addresses.ts';
import '../features/account/form-page.module.css';
import { namedOnDemand, type OnDemand, useOnDemand } from '../lib/on-demand.ts';
import type { Page } from '../router/page.ts';
import { FailedNotice } from '../ui/notice.tsx';

type LazyPageProps<Props> = Props & {
  part: OnDemand<ComponentType<Props>>;
  skeleton: ReactNode;
};

/** A page's component whose code is loaded when it is first shown. */
function LazyPage<Props extends object>({ part, skeleton, ...props }: LazyPageProps<Props>) {
  const { thing: Part, failure, retry } = useOnDemand(part, true);
  if (failure !== null) return <FailedNotice message={failure} onRetry={retry} />;
  return Part ? <Part {...(props as unknown as Props)} /> : skeleton;
}

// Loaded before the page is painted, unlike the rest of the page's code.

/** The page of a mailed link, whose form does something without a session, or the page with the outcome of that form. */
const mailedLink =
  <Outcome extends string>(title: string, part: OnDemand<ComponentType<{ outcome: Outcome | null }>>) =>
  <P extends { outcome?: Outcome }>(address: Address<P>): Page<P> => ({
    address,
    access: 'public',
    describe: () => ({ heading: 'Электронная почта', title }),
    Component: ({ params }) => <LazyPage part={part} skeleton={null} outcome={params.outcome ?? null} />,
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

/** They undo a change of an account's email address, and end letters with notifications. */
export const mailedLinks = [
  undoing(addresses.undoEmail),
  undoing(addresses.undoEmailOutcome),
  unsubscribing(addresses.unsubscribe),
  unsubscribing(addresses.unsubscribeOutcome),
];
