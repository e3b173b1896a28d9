import type { Readable } from 'node:stream';
import type { Window } from 'happy-dom';

/** Opens a response as a stream. Rejects when there is no network. */
export type OpenStream = (address: string) => Promise<{ status: number; body: Readable }>;

/** Adds `EventSource` to a window. It does not reconnect by itself. */
export function addEventSource(window: Window, openStream: OpenStream): void {
  class EventSource extends window.EventTarget {
    readyState = 0;
    #body: Readable | undefined;

    constructor(address: string) {
      super();
      void this.#read(address).catch(() => this.#fail());
    }

    async #read(address: string): Promise<void> {
      const { status, body } = await openStream(address);
      this.#body = body;
      if (this.readyState === 2) return this.close();
      if (status !== 200) return this.#fail();
      this.readyState = 1;
      this.dispatchEvent(new window.Event('open'));
      let text = '';
      body.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const events = text.split('\n\n');
        text = events.pop()!;
        for (const event of events) this.#receive(event);
      });
      body.on('close', () => this.#fail());
      body.on('error', () => {});
    }

    #receive(event: string): void {
      const fields = new Map<string, string>();
      for (const line of event.split('\n')) {
        const [name, value = ''] = line.split(/: ?(.*)/s);
        const before = fields.get(name!);
        fields.set(name!, before === undefined ? value : `${before}\n${value}`);
      }
      const data = fields.get('data');
      if (data === undefined) return;
      const message = new window.Event(fields.get('event') ?? 'message');
      this.dispatchEvent(Object.assign(message, { data, lastEventId: fields.get('id') ?? '' }));
    }

    #fail(): void {
      if (this.readyState === 2) return;
      this.readyState = 2;
      this.dispatchEvent(new window.Event('error'));
    }

    close(): void {
      this.readyState = 2;
      this.#body?.destroy();
    }
  }
  Object.assign(EventSource, { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
  Object.assign(window, { EventSource });
}
