import type { ComponentType } from 'react';
import { limits } from '#contract/limits.ts';
import { createObservable, type Observable } from './observable.ts';

export interface ToastLink {
  href: string;
  text: string;
}

export interface Toast {
  readonly text: string;
  readonly link?: ToastLink | undefined;
  /** A later toast with the same topic removes this one, which is no longer true. */
  readonly topic?: string | undefined;
  /** A button for an act, which may be about the post `postId`. Its code is loaded together with the code of its act. */
  readonly Button?: ComponentType<Pick<Toast, 'postId'>>;
  readonly postId?: string;
  /** The remaining time of a toast that the previous page has already shown. */
  readonly leftMs?: number;
}

/** Short messages about what has just been done, shown one at a time, in order and each for its whole time. */
export function createToasts({ toastMs, toastPauseMs }: { toastMs: number; toastPauseMs: number }) {
  const shown = createObservable<Toast | null>(null);
  let queue: Toast[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The rest of the shown toast's time when its timer was started or stopped. */
  let remaining = 0;
  let runningSince: number | null = null;
  let pausing = false;
  let holds = 0;

  /** Shows the next toast, or lets the time of the shown one run. Does nothing during a pause between toasts or while they are held. */
  function proceed(): void {
    if (pausing || holds > 0) return;
    if (shown.get() === null) showNext();
    else if (runningSince === null) run();
  }

  function showNext(): void {
    const next = queue.shift();
    if (next === undefined) return;
    remaining = next.leftMs ?? toastMs;
    shown.set(next);
    run();
  }

  function run(): void {
    runningSince = performance.now();
    timer = setTimeout(close, remaining);
  }

  function stop(): void {
    clearTimeout(timer);
    remaining = remainingNow();
    runningSince = null;
  }

  function remainingNow(): number {
    return runningSince === null ? remaining : remaining - (performance.now() - runningSince);
  }

  function close(): void {
    if (shown.get() === null) return;
    stop();
    pausing = true;
    shown.set(null);
    setTimeout(() => {
      pausing = false;
      proceed();
    }, toastPauseMs);
  }

  return {
    shown: shown as Observable<Toast | null>,

    add(toast: Toast): void {
      const stays = ({ topic }: Toast) => topic === undefined || topic !== toast.topic;
      queue = [...queue.filter(stays), toast];
      const present = shown.get();
      if (present === null || stays(present)) proceed();
      else close();
    },

    /** The shown toast and the queue. */
    pending(): Toast[] {
      const toast = shown.get();
      return toast === null ? [...queue] : [{ ...toast, leftMs: remainingNow() }, ...queue];
    },

    close,

    /** Stops the time of all toasts until the returned function is called, once. */
    hold(): () => void {
      holds += 1;
      stop();
      return () => {
        holds -= 1;
        proceed();
      };
    },
  };
}

export const toasts = createToasts(limits);

export const showToast = (text: string, link?: ToastLink, topic?: string): void => toasts.add({ text, link, topic });
