import { useObservable } from '../lib/observable.ts';
import { liveMessage } from './live-message.ts';
import visuallyHidden from './visually-hidden.module.css';

/** The page's only live region. `showLiveMessage` fills it. */
export function LiveRegion() {
  const text = useObservable(liveMessage);
  return (
    <div role="status" className={visuallyHidden.always}>
      {text}
    </div>
  );
}
