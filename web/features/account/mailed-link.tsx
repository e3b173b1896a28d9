import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormPage } from './form-page.tsx';

interface MailedLinkProps {
  /** The outcome; null before the form was sent. */
  outcome: { title: string; text: string } | null;
  /** Where to go from the outcome. */
  onward: ReactNode;
  question: string;
  confirm: string;
  /** An explanation of what confirming does. */
  children: ReactNode;
}

/** The page that a mailed link opens. The browser itself sends the form, with or without scripts, to the page's address. */
export function MailedLink({ outcome, onward, question, confirm, children }: MailedLinkProps) {
  const titleId = useId();
  if (outcome !== null) {
    return (
      <FormPage title={outcome.title} titleId={titleId}>
        <p>{outcome.text}</p>
        <p>{onward}</p>
      </FormPage>
    );
  }
  return (
    <FormPage title={question} titleId={titleId}>
      {children}
      <form method="post" aria-labelledby={titleId}>
        <Button type="submit" variant="primary">
          {confirm}
        </Button>
      </form>
    </FormPage>
  );
}
