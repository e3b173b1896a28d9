import { useCallback, useEffect, useRef, useState } from 'react';
import {
  getNotificationSettings,
  type NotificationSettings,
  putNotificationSettings,
} from '#contract/notifications.ts';
import { explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { createLatestWins } from '../../lib/latest-wins.ts';

type Loaded = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'here'; settings: NotificationSettings };

export type Saving = { is: 'idle' | 'saving' | 'saved' } | { is: 'failed'; message: string };

/** A change shows at once and is saved at once. After quick changes the last ones count. */
export function useNotificationSettings() {
  const [loaded, setLoaded] = useState<Loaded>({ is: 'loading' });
  const [saving, setSaving] = useState<Saving>({ is: 'idle' });
  const wanted = useRef<NotificationSettings>(null);
  const asking = useRef<AbortController>(null);

  const load = useCallback(async () => {
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      const settings = await call(getNotificationSettings, { signal });
      if (signal.aborted) return;
      wanted.current = settings;
      setLoaded({ is: 'here', settings });
    } catch (error) {
      if (!signal.aborted) setLoaded({ is: 'failed', message: explainError(error) });
    }
  }, []);

  useEffect(() => {
    void load();
    return () => asking.current?.abort();
  }, [load]);

  const retry = () => {
    setLoaded({ is: 'loading' });
    void load();
  };

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
    const settings = { ...wanted.current!, ...part };
    wanted.current = settings;
    setLoaded({ is: 'here', settings });
    save();
  };

  return { loaded, retry, saving, save, change };
}
