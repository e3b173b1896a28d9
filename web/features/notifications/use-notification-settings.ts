import { useCallback, useEffect, useRef, useState } from 'react';
import {
  getNotificationSettings,
  type NotificationSettings,
  putNotificationSettings,
} from '#contract/notifications.ts';
import { explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';

type Loaded = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'here'; settings: NotificationSettings };

export type Saving = { is: 'idle' | 'saving' | 'saved' } | { is: 'failed'; message: string };

/** A change shows at once and is saved at once, one request at a time. After quick changes the last ones count. */
export function useNotificationSettings() {
  const [loaded, setLoaded] = useState<Loaded>({ is: 'loading' });
  const [saving, setSaving] = useState<Saving>({ is: 'idle' });
  const wanted = useRef<NotificationSettings>(null);
  const isSending = useRef(false);
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

  const save = async () => {
    if (isSending.current) return;
    isSending.current = true;
    setSaving({ is: 'saving' });
    try {
      let sent: NotificationSettings | null;
      do {
        sent = wanted.current;
        await call(putNotificationSettings, { body: sent! });
      } while (sent !== wanted.current);
      setSaving({ is: 'saved' });
    } catch (error) {
      setSaving({ is: 'failed', message: explainError(error) });
    }
    isSending.current = false;
  };

  const change = (part: Partial<NotificationSettings>) => {
    const settings = { ...wanted.current!, ...part };
    wanted.current = settings;
    setLoaded({ is: 'here', settings });
    void save();
  };

  return { loaded, retry, saving, save: () => void save(), change };
}
