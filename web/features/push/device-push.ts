import { call } from '../../lib/api.ts';
import { explainError } from '../../lib/explain-error.ts';
import { trustedWorker } from '../../lib/trusted-html.ts';

/** Whether this browser can receive messages, and whether they are on. `denied`: the person has forbidden them in the browser. */
export type DevicePush = 'impossible' | 'denied' | { isOn: boolean; hidesText: boolean };

export function pushPermission(): NotificationPermission | undefined {
  const isKnown = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  return isKnown ? Notification.permission : undefined;
}

const ownSubscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;

export async function readDevice(): Promise<DevicePush> {
  const permission = pushPermission();
  if (permission === undefined) return 'impossible';
  if (permission === 'denied') return 'denied';
  const [own, { endpoint, hides_text: hidesText }] = await Promise.all([
    ownSubscription(),
    call('GET /users/current/push', {}),
  ]);
  return { isOn: own !== null && own.endpoint === endpoint, hidesText };
}

/** The browser does not allow messages. The text of the error is for the person. */
class PushRefusal extends Error {}

export const explainPush = (error: unknown): string =>
  error instanceof PushRefusal ? error.message : explainError(error);

/** Subscribes the browser unless it is subscribed. The key may have changed since an earlier session. */
async function subscribed(): Promise<PushSubscription> {
  const [{ key }] = await Promise.all([call('GET /push/key', {}), navigator.serviceWorker.register(trustedWorker())]);
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  try {
    return await subscribe().catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe();
      return subscribe();
    });
  } catch {
    throw new PushRefusal('Браузер не смог подписаться на уведомления. Попробуйте позже.');
  }
}

/** Called in the handler of a click, because the browser asks the person. */
export async function turnOn(hidesText: boolean): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new PushRefusal('Браузер не разрешил уведомления. Разрешить их этому сайту можно в его настройках.');
  }
  const { endpoint, keys } = (await subscribed()).toJSON();
  const { p256dh, auth } = keys as Record<'p256dh' | 'auth', string>;
  await call('PUT /users/current/push', {
    body: { endpoint: endpoint!, keys: { p256dh, auth }, hides_text: hidesText },
  });
}

export async function turnOff(): Promise<void> {
  await call('DELETE /users/current/push', {});
  await (await ownSubscription())?.unsubscribe();
}
