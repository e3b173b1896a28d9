import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { addresses } from '#contract/addresses.ts';
import { Button } from '../../../ui/button.tsx';
import { usePerform } from '../../session/actions.ts';
import styles from './quote-button.module.css';
import { selectedQuote } from './selected-quote.ts';

/** The selection changes with each movement of the pointer, so the button waits until it stands still. */
const stillMs = 200;

/** A button at the end of a selected part of a post. It is inside the card, so the keyboard reaches it after the selection. */
export function QuoteButton() {
  const perform = usePerform();
  const [selected, setSelected] = useState(selectedQuote);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setSelected(selectedQuote()), stillMs);
    };
    document.addEventListener('selectionchange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', look);
    };
  }, []);

  if (!selected) return null;
  const { card, range, postId, quote } = selected;
  const [from, end] = [card.getBoundingClientRect(), [...range.getClientRects()].at(-1)];
  if (!end) return null;
  const reply = () => {
    getSelection()?.removeAllRanges();
    perform({ kind: 'layer', href: addresses.postReply.href({ id: postId }, { quote }) });
  };
  return createPortal(
    <div
      className={styles.place}
      style={{ insetBlockStart: end.bottom - from.top, insetInlineStart: end.right - from.left }}
    >
      {/* The press of a pointer would end the selection. */}
      <Button onMouseDown={(event) => event.preventDefault()} onClick={reply}>
        Цитировать
      </Button>
    </div>,
    card,
  );
}
