import { limits } from '#contract/limits.ts';

interface ToastLink {
  href: string;
  text: string;
}

export interface Toast {
  readonly text: string;
  readonly link?: ToastLink;
  /** How much of its time is left where the page before has shown it already. */
  readonly leftMs?: number;
}

/** Words about what was just done, one at a time; what comes meanwhile waits for its turn. */
export function createToasts({ toastMs, toastPauseMs }: { toastMs: number; toastPauseMs: number }) {
  const listeners = new Set<() => void>();
  const waiting: Toast[] = [];
  let shown: Toast | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How much of its time the shown one has left, and since when that runs. */
  let left = 0;
  let runningSince: number | null = null;
  let resting = false;
  let holds = 0;

  function show(toast: Toast | null): void {
    shown = toast;
    for (const listener of listeners) listener();
  }

  function showNext(): void {
    if (shown !== null || resting || holds > 0) return;
    const next = waiting.shift();
    if (next === undefined) return;
    left = next.leftMs ?? toastMs;
    show(next);
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
    if (shown === null) return;
    stop();
    resting = true;
    show(null);
    setTimeout(() => {
      resting = false;
      showNext();
    }, toastPauseMs);
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    shown: (): Toast | null => shown,

    add(toast: Toast): void {
      waiting.push(toast);
      showNext();
    },

    /** What is being said and what waits. */
    unsaid: (): Toast[] => (shown === null ? [...waiting] : [{ ...shown, leftMs: leftNow() }, ...waiting]),

    /** The shown one has been of use. */
    dismiss,

    /** Time stands still for them until the returned function is called, once. */
    hold(): () => void {
      holds += 1;
      stop();
      return () => {
        holds -= 1;
        if (holds > 0) return;
        if (shown === null) showNext();
        else run();
      };
    },
  };
}

export const toasts = createToasts(limits);

export function showToast(text: string, link?: ToastLink): void {
  toasts.add(link ? { text, link } : { text });
}
