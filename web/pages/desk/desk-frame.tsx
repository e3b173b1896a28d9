import { type ComponentProps, type ReactNode, use } from 'react';
import { addresses } from '#contract/addresses.ts';
import { FormHostContext } from '../../forms/form-host.ts';
import { copyText } from '../../lib/copy-text.ts';
import { useMounted } from '../../lib/observable.ts';
import { showToast } from '../../lib/toasts.ts';
import buttonStyles from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './desk-frame.module.css';

/** Copies the link by which a person gets the imported account. */
export function CopyClaim({ url }: { url: string }) {
  const mounted = useMounted();
  const copy = async () => {
    if (await copyText(url)) showToast('Ссылка скопирована');
    else showToast('Не удалось скопировать. Ссылка есть на странице человека.');
  };
  if (!mounted) return null;
  return (
    <Button variant="plain" onClick={() => void copy()}>
      Скопировать ссылку
    </Button>
  );
}

interface ActLinkProps {
  /** The name of the act in its table. */
  name: string;
  /** The post, person or entry that the act is about, as in `KeeperForm`. */
  of: string;
  variant?: ComponentProps<typeof Button>['variant'];
  /** The id of the element that describes the button. */
  describedBy?: string;
  children: string;
}

/** A link, drawn as a button, to the form of a keeper's act. The form returns to this page. */
export function ActLink({ name, of, variant = 'quiet', describedBy, children }: ActLinkProps) {
  const { action: next } = use(FormHostContext);
  return (
    <a
      href={addresses.keeperAct.href({ name }, { of, next })}
      className={buttonStyles.button}
      data-variant={variant}
      data-layer
      aria-haspopup={useMounted() ? 'dialog' : undefined}
      aria-describedby={describedBy}
    >
      {children}
    </a>
  );
}

const sections = [
  { id: 'queue', href: addresses.moderation.href(), name: 'Жалобы' },
  { id: 'waiting', href: addresses.moderationWaiting.href(), name: 'Новички' },
  { id: 'people', href: addresses.moderationPeople.href(), name: 'Люди' },
  { id: 'invites', href: addresses.moderationInvites.href(), name: 'Приглашения' },
  { id: 'journal', href: addresses.moderationJournal.href(), name: 'Журнал' },
  { id: 'pin', href: addresses.moderationPin.href(), name: 'Объявление' },
] as const;

interface DeskFrameProps {
  section: (typeof sections)[number]['id'] | 'blocked' | 'imported';
  children: ReactNode;
}

/** The links between the pages of the desk, above each of them. */
export function DeskFrame({ section, children }: DeskFrameProps) {
  const current = section === 'blocked' || section === 'imported' ? 'people' : section;
  return (
    <>
      <div className={styles.sections} ref={showCurrent}>
        <Tabs label="Модерация" tabs={sections} current={sections.find(({ id }) => id === current)!.name} />
      </div>
      {children}
    </>
  );
}

/** Scrolls a row that is wider than the window to the current link. `scrollIntoView` would scroll the page too. */
function showCurrent(frame: HTMLElement | null): void {
  const link = frame?.querySelector<HTMLElement>('[aria-current]');
  const row = frame?.querySelector('ul');
  if (link && row) row.scrollLeft = link.offsetLeft + link.offsetWidth - row.offsetLeft - row.clientWidth;
}
