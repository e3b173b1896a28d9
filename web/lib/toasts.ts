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
  /** What it says is no longer true once another toast is about the same. It then leaves. */
  readonly topic?: string | undefined;
  /** A button that acts on a post. It is loaded together with what it does. */
  readonly Button?: ComponentType<Pick<Toast, 'postId'>>;
  readonly postId?: string;
  /** The rest of its time if the previous page has already shown it. */
  readonly leftMs?: number;
}

/** Short messages about what has just been done, shown one at a time, in order and each for its whole time. */
export function createToasts({ toastMs, toastPauseMs }: { toastMs: number; toastPauseMs: number }) {
  const shown = createObservable<Toast | null>(null);
  let queue: Toast[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The rest of the shown toast's time when its timer was started or stopped. */
  let left = 0;
  let runningSince: number | null = null;
  let pausing = false;
  let holds = 0;

  /** Does nothing while the time is stopped: what a person points at stays. */
  function proceed(): void {
    if (pausing || holds > 0) return;
    if (shown.get() === null) showNext();
    else if (runningSince === null) run();
  }

  function showNext(): void {
    const next = queue.shift();
    if (next === undefined) return;
    left = next.leftMs ?? toastMs;
    shown.set(next);
    run();
  }

  function run(): void {
    runningSince = performance.now();
    timer = setTimeout(close, left);
  }

  function stop(): void {
    clearTimeout(timer);
    left = leftNow();
    runningSince = null;
  }

  function leftNow(): number {
    return runningSince === null ? left : left - (performance.now() - runningSince);
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
      return toast === null ? [...queue] : [{ ...toast, leftMs: leftNow() }, ...queue];
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
