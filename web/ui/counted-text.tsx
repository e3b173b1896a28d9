import { useEffect, useState } from 'react';
import { secondsIn, withRemainingSeconds } from '../lib/counts.ts';
import visuallyHidden from './visually-hidden.module.css';

const tickMs = 250;

/** A text whose 'через 57 сек.' counts down. Screen readers announce it at the start and at the end, not each second. */
export function CountedText({ text }: { text: string | null }) {
  const seconds = text === null ? null : secondsIn(text);
  if (text === null || seconds === null) return text;
  return <Countdown key={text} text={text} seconds={seconds} />;
}

function Countdown({ text, seconds }: { text: string; seconds: number }) {
  const [remaining, setRemaining] = useState(seconds);
  const counting = remaining > 0;

  useEffect(() => {
    if (!counting) return undefined;
    const end = performance.now() + seconds * 1_000;
    const timer = setInterval(() => setRemaining(Math.max(0, Math.ceil((end - performance.now()) / 1_000))), tickMs);
    return () => clearInterval(timer);
  }, [counting, seconds]);

  return (
    <>
      <span aria-hidden="true">{withRemainingSeconds(text, remaining)}</span>
      <span className={visuallyHidden.always}>{counting ? text : withRemainingSeconds(text, 0)}</span>
    </>
  );
}
