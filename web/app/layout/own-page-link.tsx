import { addresses } from '#contract/addresses.ts';
import { useSessionState } from '../../features/session/session.ts';
import { Face } from '../../ui/face.tsx';

/** One's own face. It leads to what others see of one. */
export function OwnPageLink({ className, activePath }: { className: string; activePath: string }) {
  const session = useSessionState();
  if (session.is !== 'authorized') return null;
  const path = addresses.user.href(session.user);
  return (
    <a href={path} className={className} aria-current={activePath === path ? 'page' : undefined}>
      <Face id={session.user.id} />
      <span>Моя страница</span>
    </a>
  );
}
