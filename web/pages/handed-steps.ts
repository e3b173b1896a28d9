import type { FormFields, SentForm } from '#contract/page-data.ts';
import { storedStep } from '../lib/layers.ts';
import { readStored, removeStored, writeStored } from '../lib/storage.ts';

/** What an act passes to the page at another address. */
interface Handed {
  fields: FormFields;
  refused?: SentForm;
}

const onceKey = 'handed on';
const stepKey = (href: string) => `step of ${href}`;

/** By address. If the browser loads the page whole, the entry is in session storage until then. */
const handed = new Map<string, Handed>(JSON.parse(readStored('sessionStorage', onceKey) ?? '[]'));
removeStored('sessionStorage', onceKey);

export function handedTo(href: string, isLayer: boolean): Handed | undefined {
  const known = handed.get(href);
  if (known) return known;
  const step = isLayer && storedStep();
  if (step && step.href === href) return step;
  const stored = readStored('sessionStorage', stepKey(href));
  return stored === null ? undefined : { fields: JSON.parse(stored) };
}

export const handOn = (href: string, given: Handed): void => void handed.set(href, given);

export const forgetHanded = (href: string): void => void handed.delete(href);

/** Keeps what was handed to the page while the browser loads it whole. */
export function storeHanded(href: string): void {
  if (handed.has(href)) writeStored('sessionStorage', onceKey, JSON.stringify([[href, handed.get(href)]]));
}

/** A reload returns to a stored step. */
export const storeStep = (href: string, fields: FormFields): void =>
  writeStored('sessionStorage', stepKey(href), JSON.stringify(fields));

export const forgetPageStep = (href: string): void => removeStored('sessionStorage', stepKey(href));
