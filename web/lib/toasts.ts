import type { ComponentType } from 'react';
import { limits } from '#contract/limits.ts';
import { createObservable, type Observable } from './observable.ts';

interface ToastLink {
  href: string;
  text: string;
}

export interface Toast {
  readonly text: string;
  readonly link?: ToastLink;
  /** A button that acts on a post. It is loaded together with what it does. */
  readonly Button?: ComponentType<Pick<Toast, 'postId'>>;
  readonly postId?: string;
  /** Its time if it is not the usual one, or the rest of it if the previous page has already shown it. */
  readonly leftMs?: number;
  /** Outdates earlier toasts of the same topic, so that a button always belongs to what was done last. */
  readonly topic?: string;
}

/** Short messages about what has just been done. They are shown one at a time; the others wait in a queue. */
export function createToasts({ toastMs, toastPauseMs }: { toastMs: number; toastPauseMs: number }) {
  const shown = createObservable<Toast | null>(null);
  let queue: Toast[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The rest of the shown toast's time when its timer was started or stopped. */
  let left = 0;
  let runningSince: number | null = null;
  let pausing = false;
  let holds = 0;

  function showNext(): void {
    if (shown.get() !== null || pausing || holds > 0) return;
    const next = queue.shift();
    if (next === undefined) return;
    left = next.leftMs ?? toastMs;
    shown.set(next);
    run();
  }

  function run(): void {
    runningSince = performance.now();
    timer = setTimeout(dismiss, left);
  }

  function stop(): void {
    clearTimeout(timer);
    left = leftNow();
    runningSince = null;
  }

  function leftNow(): number {
    return runningSince === null ? left : left - (performance.now() - runningSince);
  }

  function dismiss(): void {
    if (shown.get() === null) return;
    stop();
    pausing = true;
    shown.set(null);
    setTimeout(() => {
      pausing = false;
      showNext();
    }, toastPauseMs);
  }

  return {
    shown: shown as Observable<Toast | null>,

    add(toast: Toast): void {
      const isOutdated = (earlier: Toast | null) => toast.topic !== undefined && earlier?.topic === toast.topic;
      queue = [...queue.filter((earlier) => !isOutdated(earlier)), toast];
      if (isOutdated(shown.get())) dismiss();
      showNext();
    },

    /** The shown toast and the queue. */
    pending(): Toast[] {
      const toast = shown.get();
      return toast === null ? [...queue] : [{ ...toast, leftMs: leftNow() }, ...queue];
    },

    dismiss,

    /** Stops the time of all toasts until the returned function is called, once. */
    hold(): () => void {
      holds += 1;
      stop();
      return () => {
        holds -= 1;
        if (holds > 0) return;
        if (shown.get() === null) showNext();
        else run();
      };
    },
  };
}

export const toasts = createToasts(limits);

export function showToast(text: string, link?: ToastLink): void {
  toasts.add(link ? { text, link } : { text });
}
