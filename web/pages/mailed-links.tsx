import type { ComponentType } from 'react';
import { type Address, addresses } from '#contract/addresses.ts';
import '../features/account/form-page.module.css';
import { namedOnDemand, type OnDemand } from '../lib/on-demand.ts';
import type { Page } from '../router/page.ts';

/** Makes the page of a mailed link, whose form works without a session, and the page with the outcome of that form. */
const mailedLink = <Outcome extends string>(
  title: string,
  part: OnDemand<ComponentType<{ outcome: Outcome | null }>>,
  pages: ReadonlyArray<Pick<Address, 'path'>>,
) =>
  pages.map((address): Page<{ outcome?: Outcome }> => ({
    address: address as Address,
    access: 'public',
    describe: () => ({ heading: 'Электронная почта', title }),
    load: async () => {
      await part.load();
      return {};
    },
    Component({ params }) {
      const Shown = part.here()!;
      return <Shown outcome={params.outcome ?? null} />;
    },
    prefetch: part.load,
  }));

const file = () => import('../features/account/mailed-link.tsx');

/** Pages that undo a change of an account's email address, and pages that end letters with notifications. */
export const mailedLinks = [
  ...mailedLink('Отмена смены адреса', namedOnDemand(file, 'EmailUndoPage'), [
    addresses.undoEmail,
    addresses.undoEmailOutcome,
  ]),
  ...mailedLink('Отписка от писем', namedOnDemand(file, 'UnsubscribePage'), [
    addresses.unsubscribe,
    addresses.unsubscribeOutcome,
  ]),
];
