import { addresses } from '#contract/addresses.ts';
import type { Description } from '../router/page.ts';
import { missingDescription } from '../router/screen.ts';
import { formPageRow, type FormPageOptions } from './form-page.tsx';
import { notFound } from './not-found.tsx';

const atDesk = (heading: string) => ({ heading, title: `${heading}: модерация` });

/** A list of the desk. Until it is loaded, nothing says that there is a desk. */
const listAtDesk = <Name extends string>(
  { address, file, name }: Pick<FormPageOptions<Name>, 'address' | 'file' | 'name'>,
  shown: Description,
) => ({
  ...formPageRow({ address, file, name, heading: shown.heading, missing: notFound }),
  describe: (_params: object, loaded: object | null) => (loaded ? shown : missingDescription),
});

const people = () => import('./desk/people.tsx');

/** The pages of moderators and owners. For everybody else they do not exist. */
export const deskPages = [
  formPageRow({
    address: addresses.keeperAct,
    heading: ({ title }) => title ?? 'Модерация',
    missing: notFound,
    file: () => import('./desk/keeper-act.tsx'),
    name: 'actOfKeeper',
  }),
  listAtDesk(
    { address: addresses.moderation, file: () => import('./desk/queue.tsx'), name: 'queue' },
    { heading: 'Модерация' },
  ),
  listAtDesk(
    { address: addresses.moderationWaiting, file: () => import('./desk/waiting.tsx'), name: 'waiting' },
    atDesk('Ждут проверки'),
  ),
  listAtDesk({ address: addresses.moderationPeople, file: people, name: 'people' }, atDesk('Люди')),
  listAtDesk({ address: addresses.moderationBlocked, file: people, name: 'blocked' }, atDesk('Заблокированные')),
  listAtDesk({ address: addresses.moderationImported, file: people, name: 'imported' }, atDesk('Не заходили')),
  formPageRow({
    address: addresses.moderationPerson,
    heading: ({ username = '', person }) => (person ? atDesk(person.username) : username),
    missing: notFound,
    file: () => import('./desk/person.tsx'),
    name: 'person',
  }),
  listAtDesk(
    { address: addresses.moderationInvites, file: () => import('./desk/invites.tsx'), name: 'invites' },
    atDesk('Приглашения'),
  ),
  listAtDesk(
    { address: addresses.moderationJournal, file: () => import('./desk/journal.tsx'), name: 'journal' },
    atDesk('Журнал'),
  ),
  listAtDesk(
    { address: addresses.moderationPin, file: () => import('./desk/pin.tsx'), name: 'pin' },
    atDesk('Объявление'),
  ),
];

/** The page of owners. */
export const wallPage = formPageRow({
  address: addresses.keep,
  heading: ({ title }) => title ?? 'Хозяйство',
  writesText: true,
  missing: notFound,
  file: () => import('./wall/wall-admin.tsx'),
  name: 'keep',
});
