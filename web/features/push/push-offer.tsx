import { useRef, useState } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import styles from './push-offer.module.css';
import { noteBelow } from '../posts/card/post-card.tsx';
import { explainPush, pushPermission, readDevice, turnOn } from './device-push.ts';

const answeredKey = (userId: string): string => `push-offer answered by ${userId}`;

interface OfferProps {
  onAnswer: () => void;
}

function PushOffer({ onAnswer }: OfferProps) {
  const line = useRef<HTMLDivElement>(null);
  const [isBusy, setBusy] = useState(false);
  const device = matchMedia('(width < 757px)').matches ? 'этот телефон' : 'это устройство';
  const question = `Присылать ответы на ${device}?`;

  const end = () => {
    // The control with the focus is removed.
    line.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    onAnswer();
  };
  const accept = async () => {
    setBusy(true);
    try {
      await turnOn(false);
      showToast('Ответы будут приходить сюда');
      end();
    } catch (error) {
      showToast(explainPush(error));
      if (pushPermission() === 'denied') end();
      else setBusy(false);
    }
  };
  return (
    <div ref={line} role="group" aria-label={question} className={styles.line}>
      <span>{question}</span>
      <Button variant="plain" busy={isBusy} onClick={() => void accept()}>
        Да
      </Button>
      <Button variant="plain" onClick={end}>
        Нет
      </Button>
    </div>
  );
}

/** Asks below a post whether to send messages to this browser, if it can receive them and they are off. Asks until the person has answered once. */
export async function offerPush(userId: string, postId: string, signal: AbortSignal): Promise<void> {
  const key = answeredKey(userId);
  if (readStored('localStorage', key) !== null) return;
  const device = await readDevice();
  if (typeof device === 'string' || device.isOn || signal.aborted) return;
  const end = () => noteBelow.set(null);
  const answered = () => {
    writeStored('localStorage', key, new Date().toISOString());
    end();
  };
  noteBelow.set({ postId, note: <PushOffer onAnswer={answered} /> });
  signal.addEventListener('abort', end);
}
