import { useRef, useState } from 'react';
import {
  getNotificationSettings,
  type NotificationSettings,
  putNotificationSettings,
} from '#contract/notifications.ts';
import { explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { createLatestWins } from '../../lib/latest-wins.ts';
import { useLoaded } from '../session/use-loaded.ts';

export type Saving = { is: 'idle' | 'saving' | 'saved' } | { is: 'failed'; message: string };

const read = (signal: AbortSignal) => call(getNotificationSettings, { signal });

/** A change shows at once and is saved at once. After quick changes the last ones count. */
export function useNotificationSettings() {
  const { loaded, retry, change: show } = useLoaded(read);
  const [saving, setSaving] = useState<Saving>({ is: 'idle' });
  const wanted = useRef<NotificationSettings>(null);

  const [changes] = useState(() =>
    createLatestWins<NotificationSettings, NotificationSettings | null>({
      isDone: (want, state) => want === state,
      async send(want) {
        await call(putNotificationSettings, { body: want });
        return want;
      },
      onDone: () => setSaving({ is: 'saved' }),
      onFailed: (_, { error }) => setSaving({ is: 'failed', message: explainError(error) }),
    }),
  );

  const save = () => {
    setSaving({ is: 'saving' });
    changes.change('settings', wanted.current!, null);
  };

  const change = (part: Partial<NotificationSettings>) => {
    if (loaded.is !== 'here') return;
    const settings = { ...(wanted.current ?? loaded.value), ...part };
    wanted.current = settings;
    show(() => settings);
    save();
  };

  return { loaded, retry, saving, save, change };
}
