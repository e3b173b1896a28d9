import { addresses } from '#contract/addresses.ts';
import { PersonNames } from '../../ui/person-names.tsx';

interface PersonLinkProps {
  /** Null: the account does not exist any more. */
  username: string | null;
  display_name: string | null;
  className?: string | undefined;
  /** The class of the words about an account that is gone. */
  goneClassName: string | undefined;
}

/** Leads to the page of the desk about a person. */
export function PersonLink({ username, display_name: name, className, goneClassName }: PersonLinkProps) {
  if (username === null) return <span className={goneClassName}>учётная запись удалена</span>;
  return (
    <a href={addresses.moderationPerson.href({ username })} className={className}>
      <PersonNames username={username} display_name={name} />
    </a>
  );
}
