import { useSyncExternalStore } from 'react';
import { unreadAnswers } from './unread-answers.ts';

const unknown = () => 0;

export function useUnreadAnswers(): number {
  return useSyncExternalStore(unreadAnswers.subscribe, unreadAnswers.count, unknown);
}
