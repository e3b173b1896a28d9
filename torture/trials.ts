import type { Trial } from './trial.ts';
import { killNine } from './trials/kill-nine.ts';

export const trials: readonly Trial[] = [killNine];
