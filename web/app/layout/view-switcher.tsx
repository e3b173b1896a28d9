import { usePerform } from '../../features/session/actions.ts';
import { useSessionState } from '../../features/session/session.ts';
import { SelectListbox } from '../../ui/select-listbox.tsx';
import { feedViews, type FeedView } from '../../pages/feed-tabs.tsx';

const views: FeedView[] = Object.values(feedViews);

/** Opens the other views of the feed. A visitor has to sign in first, except for the public one. */
export function ViewSwitcher({ current }: { current: FeedView }) {
  const perform = usePerform();
  const visitor = useSessionState().is === 'signed-out';

  const choose = ({ path }: FeedView) => {
    if (visitor && path !== feedViews.feed.path) perform({ kind: 'visit', path });
    else location.assign(path);
  };
  return (
    <SelectListbox
      label="Лента"
      value={current.name}
      options={views.filter((view) => view !== current)}
      onChoose={choose}
    />
  );
}
