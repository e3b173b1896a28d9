import { addresses } from '#contract/addresses.ts';
import { useSessionState } from '../../features/session/session.ts';
import { Face } from '../../ui/face.tsx';
import { DeskLink, type ItemProps } from './desk-link.tsx';

export interface LinksProps extends ItemProps {
  /** Whether one's own page is among them. */
  withOwnPage?: boolean;
}

export function Links({ withOwnPage = false, ...item }: LinksProps) {
  const session = useSessionState();
  if (session.is !== 'authorized') return null;
  const { user } = session;
  const path = addresses.user.href(user);
  return (
    <>
      {withOwnPage && (
        <a href={path} className={item.className} aria-current={item.activePath === path ? 'page' : undefined}>
          <Face id={user.id} />
          <span>Моя страница</span>
        </a>
      )}
      {user.role !== undefined && <DeskLink {...item} />}
    </>
  );
}
