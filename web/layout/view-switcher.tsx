import { limits } from '#contract/limits.ts';
import { useIntend } from '../auth/intent-context.ts';
import { useSessionState } from '../auth/session-context.ts';
import { SelectListbox } from '../ui/select-listbox.tsx';
import { feedViews, type FeedView } from './feed-views.ts';

const views: FeedView[] = Object.values(feedViews);

/** Leads to the other views of the wall; a visitor who wants one of their own is asked who they are. */
export function ViewSwitcher({ current }: { current: FeedView }) {
  const intend = useIntend();
  const visitor = useSessionState().is === 'signed-out';

  const choose = ({ path }: FeedView) => {
    if (visitor && path !== feedViews.feed.path) intend({ kind: 'visit', path });
    else location.assign(path);
  };
  return (
    <SelectListbox
      label="Лента"
      value={current.name}
      options={views.filter((view) => view !== current)}
      typeaheadMs={limits.typeaheadMs}
      onChoose={choose}
    />
  );
}
