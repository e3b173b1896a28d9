// Shows the messages of the wall. It has no handler of requests: nothing stands between the browser and the pages.

addEventListener('install', () => skipWaiting());

addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  // A newer message of a discussion takes the place of the one before it, and is heard.
  const options = { body, tag, renotify: true, data: url, icon: '/icon-192.png', lang: 'ru' };
  event.waitUntil(registration.showNotification(title, options));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data, location.origin)));
});

async function show(url) {
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = open.find((client) => client.url === url.href);
  if (there) await there.focus();
  else await clients.openWindow(url.href);
}
