import { createObservable, useObservable } from '../lib/observable.ts';
import visuallyHidden from './visually-hidden.module.css';

/** The text in the live region, and which message it is. */
const liveMessage = createObservable({ text: '', number: 0 });

/** Makes screen readers announce a change that is otherwise only visible, such as new posts at the end of a list. */
export function showLiveMessage(text: string): void {
  liveMessage.set({ text, number: liveMessage.get().number + 1 });
}

/** The live region that `showLiveMessage` fills. Toasts and lines about the state have regions of their own. */
export function LiveRegion() {
  const { text, number } = useObservable(liveMessage);
  return (
    <div role="status" className={visuallyHidden.always}>
      {/* Each message is a new element: screen readers do not announce a text that stays the same. */}
      <span key={number}>{text}</span>
    </div>
  );
}
