import type { FormFields } from '#contract/page-data.ts';
import { createObservable } from './observable.ts';
import { readStored, removeStored, writeStored } from './storage.ts';

/** Links with `data-layer` open their page in a layer, until the returned function is called. */
export function openLinksInLayers(): () => void {
  const open = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-layer]');
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openLayer(link.pathname + link.search, link);
  };
  document.addEventListener('click', open);
  return () => document.removeEventListener('click', open);
}

interface OpenedLayer {
  /** The address of the page in the layer. */
  href: string;
  opener: Element;
}

export const openedLayer = createObservable<OpenedLayer | null>(null);

/** Opens a page of forms in a layer over the current one, or goes on to it in the layer that is open. */
export function openLayer(href: string, opener = document.activeElement ?? document.body): void {
  openedLayer.set({ opener, ...openedLayer.get(), href });
}

const key = 'layer';
/** About as long as a mailed code is valid. */
const usefulMs = 10 * 60_000;

interface StoredStep {
  href: string;
  /** The fields that the previous act returned for this step (`handed`). */
  fields: FormFields;
  /** The address of the page below the layer. */
  below: string;
  /** Milliseconds on the visitor's clock. */
  at: number;
}

const here = (): string => location.pathname + location.search;

/** Opens a step in the layer and stores it, so that a reload of the page below returns to the step. */
export function openStep(href: string, fields: FormFields): void {
  const step: StoredStep = { href, fields, below: here(), at: Date.now() };
  writeStored('sessionStorage', key, JSON.stringify(step));
  openLayer(href);
}

export function storedStep(): StoredStep | null {
  const step: StoredStep | null = JSON.parse(readStored('sessionStorage', key) ?? 'null');
  return step?.below === here() && isUseful(step) ? step : null;
}

const isUseful = ({ at }: StoredStep): boolean => Math.abs(Date.now() - at) < usefulMs;

export const forgetStep = (): void => removeStored('sessionStorage', key);

/** The step at which a layer was closed. The code that it asks for may still be on the way. */
let closed: StoredStep | null = null;

export const closedStep = (): StoredStep | null => (closed && isUseful(closed) ? closed : null);

export function closeLayer(): void {
  closed = storedStep() ?? closed;
  forgetStep();
  openedLayer.set(null);
}
