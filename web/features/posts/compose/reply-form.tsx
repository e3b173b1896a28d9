import { useOnDemand } from '../../../lib/on-demand.ts';
import type { InlineReplyFormProps } from './inline-reply-form.tsx';
import { PartStatus } from './use-post-form.tsx';
import { inlineReplyForm } from './writing.ts';

/** The form of a reply in the page. Its code is not part of the first load. */
export function ReplyForm(place: InlineReplyFormProps) {
  const { thing: InlineReplyForm, failure, retry } = useOnDemand(inlineReplyForm, true);
  if (InlineReplyForm) return <InlineReplyForm {...place} />;
  return (
    <article aria-label="Ответ" {...place}>
      <PartStatus failure={failure} onRetry={retry} />
    </article>
  );
}
