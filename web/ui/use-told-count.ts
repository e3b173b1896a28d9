import { useState } from 'react';

/** Where the count is worth saying aloud; each key's would talk over the typing. Below zero once. */
const stages = [-1, 0, 10, 20, 50];

/** What to say of the characters left, null while they are many: new words at each stage, until the next the same. */
export function useToldCount(left: number | null): string {
  const stage = left === null ? undefined : stages.find((reached) => left <= reached);
  const [told, setTold] = useState({ stage, text: '' });
  if (stage !== told.stage) setTold({ stage, text: left === null ? '' : countInWords(left) });
  return told.text;
}

export function countInWords(left: number): string {
  return `${left < 0 ? 'Лишних символов' : 'Осталось символов'}: ${Math.abs(left)}`;
}
