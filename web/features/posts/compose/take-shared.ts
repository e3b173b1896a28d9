import { readStored, removeStored } from '../../../lib/storage.ts';
import { sharedKey } from './keep-shared.ts';

interface OpenDraft {
  text(): string | null;
  change(text: string): void;
}

/** Adds what another app has shared below what was written before. Sharing the same again adds nothing. */
export function takeShared(draft: OpenDraft): void {
  const query = readStored('localStorage', sharedKey);
  if (query === null) return;
  const shared = sharedText(new URLSearchParams(query));
  const written = draft.text()?.trimEnd() ?? '';
  if (!written.includes(shared)) draft.change(written === '' ? shared : `${written}\n\n${shared}`);
  removeStored('localStorage', sharedKey);
}

/** Title, text and address on a line each. Many apps put the address into the text and repeat the title there. */
export function sharedText(query: URLSearchParams): string {
  const given = ['title', 'text', 'url'].map((name) => (query.get(name) ?? '').replaceAll('\0', '').trim());
  return given.filter((part, i) => part && !given.some((other, j) => repeats(part, other, j < i))).join('\n');
}

const repeats = (part: string, other: string, isEarlier: boolean): boolean =>
  other.includes(part) && (other !== part || isEarlier);
