import { useObservable } from '../lib/observable.ts';
import { announcement } from './announce.ts';
import visuallyHidden from './visually-hidden.module.css';

/** The page's only live region. `announce` fills it. */
export function LiveRegion() {
  const text = useObservable(announcement);
  return (
    <div role="status" className={visuallyHidden.always}>
      {text}
    </div>
  );
}
