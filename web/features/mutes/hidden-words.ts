import { lexemeOfWord, lexemesOfText } from '#contract/lexemes.ts';
import { readStored } from '../../lib/storage.ts';
import { readSignInFlag } from '../session/sign-in-flag.ts';
import { foldedCard } from './stored-mutes.ts';
import { type Hideable, hiddenWordsKey, type WhyHidden } from './stored-words.ts';

// Finds the posts with words that the person hides. The build makes a classic script of this file, for which the parser of the page
// waits, and a part of the app, which is loaded when the person hides the first word.

let stored: string | null = null;
let ownId: string | undefined;
const reasons = new Map<string, WhyHidden>();
/** What has been found in a text, because cards ask again in every render. */
const found = new Map<string, WhyHidden | undefined>();
const remembered = 1_000;

function readWords(): void {
  const now = readStored('localStorage', hiddenWordsKey);
  if (now === stored) return;
  stored = now;
  reasons.clear();
  found.clear();
  const [flag, id, ...words] = now?.split(' ') ?? [];
  if (flag !== readSignInFlag()) return;
  ownId = id;
  for (const word of words) {
    const lexeme = lexemeOfWord(word);
    if (lexeme !== undefined) reasons.set(lexeme, ['скрытое слово ', `«${word}»`]);
  }
}

function wordIn(text: string): WhyHidden | undefined {
  if (!found.has(text)) {
    if (found.size >= remembered) found.clear();
    const lexeme = lexemesOfText(text).find((each) => reasons.has(each));
    found.set(text, lexeme === undefined ? undefined : reasons.get(lexeme));
  }
  return found.get(text);
}

function whyHidden({ owner, text }: Hideable): WhyHidden | undefined {
  readWords();
  return reasons.size === 0 || owner.id === ownId ? undefined : wordIn(text);
}

/** Marks posts with hidden words as long as the parser adds them. Browsers call observers before they paint. */
function markParsed(): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync(
    `article[data-hides]:not([data-in=thread]),li:has(>[data-hides]){display:none}article[data-hides]${foldedCard}a[data-hides]>[dir]{visibility:hidden;-webkit-line-clamp:1}`,
  );
  document.adoptedStyleSheets.push(styles);
  const observer = new MutationObserver(() => {
    for (const element of document.querySelectorAll<HTMLElement>('[data-author]')) {
      // A line about a discussion names its author and whoever has replied last.
      const [id = ''] = element.dataset['author']!.split(' ');
      const text = element.querySelector(element.matches('article') ? 'div[dir]' : '[dir]')?.textContent;
      element.toggleAttribute('data-hides', text !== undefined && whyHidden({ owner: { id }, text }) !== undefined);
    }
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  addEventListener('DOMContentLoaded', () => observer.disconnect());
}

globalThis.hiddenWord = whyHidden;
if (document.readyState === 'loading') markParsed();
