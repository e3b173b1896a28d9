/**
 * Calls `receive` for each message from the browser's other tabs, and returns a function that sends them one. Browsers that
 * block all cookies also deny channels: then every tab is on its own.
 */
export function openTabChannel<Message>(name: string, receive: (message: Message) => void): (message: Message) => void {
  try {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data));
    return (message) => channel.postMessage(message);
  } catch {
    return () => {};
  }
}
