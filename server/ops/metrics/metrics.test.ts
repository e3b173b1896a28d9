import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { device } from '../../../test/kit/sign-in.ts';
import { type Engine, engines, type FreshStorage, freshStorage } from '../../../test/kit/engines.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { boardExpressions, namesIn } from '../../../test/kit/grafana-board.ts';
import { parseMetrics, type Scraped } from '../../../test/kit/prometheus.ts';
import { freePort } from '../../../test/kit/free-port.ts';
import { type ServerProcess, startServer } from '../../../test/kit/server-process.ts';
import { startMailServer } from '../../../test/kit/smtp.ts';
import { ticksUntil } from '../../../test/kit/polling.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { gauge, Registry } from './registry.ts';

const scrapeOf = async (metrics: string): Promise<Scraped> =>
  parseMetrics(await (await fetch(`http://${metrics}/metrics`)).text());

/** A wall with metrics, and a free port for its mail server, which is not started yet. */
async function measured(t: TestContext, engine: Engine, settings: NodeJS.ProcessEnv = {}) {
  const mailPort = await freePort();
  const METRICS = `127.0.0.1:${await freePort()}`;
  const wall = await openWall(engine, { METRICS, SMTP_URL: `smtp://127.0.0.1:${mailPort}`, ...settings });
  t.after(wall.close);
  const address = await wall.app.listen({ host: '127.0.0.1', port: 0 });
  const scrape = () => scrapeOf(METRICS);
  return {
    address,
    clock: wall.clock,
    mailPort,
    scrape,
    async scrapeUntil(holds: (now: Scraped) => boolean): Promise<Scraped> {
      for (let now = await scrape(); ; now = await scrape()) {
        if (holds(now)) return now;
        await pause(20);
      }
    },
    register: async (email: string): Promise<number> => {
      const body = JSON.stringify({ email, clientToken: 'a', device });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${address}/api/v1/registrations`, { method: 'POST', headers, body })).status;
    },
  };
}

for (const engine of engines) {
  describe(`metrics on ${engine}`, () => {
    test('count requests by area, method and status, and how long they take', async (t) => {
      const wall = await measured(t, engine);
      for (const path of ['/api/v1/posts', '/api/v1/posts', '/api/v1/posts', '/', '/healthz', '/api/v1/nothing']) {
        await (await fetch(wall.address + path)).arrayBuffer();
      }
      const requests = (labels: string) => `stena_http_requests_total{${labels}}`;
      const now = await wall.scrapeUntil((seen) => seen[requests('area="none",method="GET",status="4xx"')] === 1);
      assert.equal(now[requests('area="posts",method="GET",status="2xx"')], 3);
      assert.equal(now[requests('area="page",method="GET",status="2xx"')], 1);
      assert.equal(now[requests('area="health",method="GET",status="2xx"')], 1);
      assert.equal(now['stena_http_request_seconds_count{area="posts"}'], 3);
      assert.ok(now['stena_http_request_seconds_sum{area="posts"}']! > 0);
      // The first request builds a response, the second caches it, the third gets the cached one.
      assert.equal(now['stena_cache_misses_total{cache="posts"}'], 2);
      assert.equal(now['stena_cache_hits_total{cache="posts"}'], 1);
      assert.equal(now['stena_cache_entries{cache="posts"}'], 1);
      assert.ok(now['stena_cache_bytes{cache="posts"}']! > 0);
    });

    test('show that cached pages share their styles', async (t) => {
      const wall = await measured(t, engine);
      const bytes = 'stena_cache_bytes{cache="pages"}';
      let [html, now]: [string, Scraped] = ['', {}];
      // Nothing is cached while a busy machine delays the polls of PostgreSQL.
      while (now['stena_cache_entries{cache="pages"}'] !== 1) {
        html = await (await fetch(wall.address)).text();
        now = await wall.scrape();
      }
      assert.ok(now[bytes]! < html.length, `${now[bytes]} of ${html.length}`);
    });

    test('follow writes, and mails until they are accepted', async (t) => {
      const wall = await measured(t, engine);
      const earlier = await wall.scrape();
      const people = Array.from({ length: 20 }, (_, i) => `person${i}@example.org`);
      assert.deepEqual(new Set(await Promise.all(people.map(wall.register))), new Set([201]));

      wall.clock.now += 1;
      const delayed = 'stena_mails_total{outcome="delayed"}';
      const waiting = await wall.scrapeUntil(
        (now) => now['stena_outbox_oldest_seconds']! >= 1 && now[delayed]! >= people.length,
      );
      assert.equal(waiting['stena_outbox_waiting'], people.length);
      assert.ok(waiting['stena_outbox_oldest_seconds']! < 60);
      assert.equal(waiting['stena_mails_total{outcome="accepted"}'], 0);
      assert.ok(waiting['process_open_fds']! > 10 && waiting['process_open_fds']! < waiting['process_max_fds']!);
      if (engine === 'sqlite') {
        const more = (name: string) => waiting[name]! - earlier[name]!;
        assert.ok(more('stena_sqlite_transactions_total') >= people.length);
        assert.ok(more('stena_sqlite_commits_total') < more('stena_sqlite_transactions_total'));
        assert.ok(more('stena_sqlite_syncs_total') >= 1);
        assert.ok(more('stena_sqlite_sync_seconds_total') > 0);
      } else {
        assert.ok(waiting['stena_postgres_connections']! >= 1);
        assert.ok(waiting['stena_postgres_idle_connections']! <= waiting['stena_postgres_connections']!);
        assert.ok(waiting['stena_postgres_waiting']! >= 0);
        // Twenty transactions shared ten connections, so some have waited.
        assert.ok(waiting['stena_postgres_wait_seconds_total']! > earlier['stena_postgres_wait_seconds_total']!);
        assert.equal(waiting['stena_postgres_listening'], 1);
      }

      const mail = await startMailServer(wall.mailPort);
      mail.refuse((recipient) => (recipient === people[0] ? 550 : undefined));
      wall.clock.now += 5;
      // An outcome is counted after its row is changed, so the row may be gone first.
      const [accepted, refused] = ['stena_mails_total{outcome="accepted"}', 'stena_mails_total{outcome="refused"}'];
      const sent = await wall.scrapeUntil(
        (now) => now['stena_outbox_waiting'] === 0 && people.length === now[accepted]! + now[refused]!,
      );
      assert.equal(sent[accepted], people.length - 1);
      assert.equal(sent[refused], 1);
      assert.equal(sent['stena_outbox_oldest_seconds'], 0);
      await mail.close();
    });

    test('count open event streams, and refusals by limit', async (t) => {
      const wall = await measured(t, engine, { READS_PER_MINUTE: '5' });
      const reader = await readEvents(`${wall.address}/api/v1/events`);
      assert.equal((await wall.scrape())['stena_event_streams'], 1);
      reader.close();
      await wall.scrapeUntil((now) => now['stena_event_streams'] === 0);

      assert.deepEqual([await wall.register('a@example.org'), await wall.register('a@example.org')], [201, 429]);
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await fetch(`${wall.address}/robots.txt`)).status);
      assert.deepEqual(statuses, [200, 200, 429, 429]);
      const now = await wall.scrape();
      assert.equal(now['stena_limits_hit_total{limit="mails"}'], 1);
      assert.equal(now['stena_limits_hit_total{limit="reads"}'], 2);
      assert.equal(now['stena_http_request_seconds_count{area="events"}'], 0);
    });
  });
}

describe('the address for metrics', () => {
  let wall: ServerProcess;
  let metrics: string;
  let fresh: FreshStorage;
  before(async () => {
    metrics = `127.0.0.1:${await freePort()}`;
    fresh = await freshStorage('sqlite');
    wall = await startServer(fresh.storage, { METRICS: metrics });
  });
  after(() => fresh.remove());

  test('serves only /metrics, and the address of the wall does not serve it', async () => {
    const asked = await fetch(`http://${metrics}/metrics?of=stena`);
    assert.equal(asked.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const now = parseMetrics(await asked.text());
    assert.ok(now['process_resident_memory_bytes']! > 1e7);
    assert.ok(now['process_uptime_seconds']! > 0 && now['process_uptime_seconds']! < 60);
    assert.ok(Math.abs(now['process_start_time_seconds']! - Date.now() / 1_000) < 60);
    assert.ok(now['nodejs_eventloop_lag_max_seconds']! >= now['nodejs_eventloop_lag_p99_seconds']!);
    assert.equal(Object.keys(now).filter((series) => series.startsWith('stena_build_info{version="')).length, 1);

    assert.equal((await fetch(`http://${metrics}/metrics`, { method: 'HEAD' })).status, 200);
    for (const [method, path] of [
      ['POST', '/metrics'],
      ['GET', '/'],
      ['GET', '/api/v1/posts'],
      ['GET', '/metrics/'],
    ]) {
      assert.equal((await fetch(`http://${metrics}${path!}`, { method: method! })).status, 404, `${method} ${path}`);
    }
    assert.equal((await fetch(`${wall.address}/metrics`)).status, 404);
  });

  test('closes when the server stops, despite open connections', async () => {
    const slow = connect(Number(metrics.split(':')[1]), '127.0.0.1');
    slow.on('error', () => {});
    slow.write('GET /metrics HTTP/1.1\r\n');
    await scrapeOf(metrics);
    // The server ends in less than five seconds. After ten it would end even with open connections.
    assert.ok((await ticksUntil(wall.stop())) < 500);
    assert.equal(await wall.ended, 0);
    await assert.rejects(scrapeOf(metrics));
  });
});

const rules = join(import.meta.dirname, '../../../deploy/prometheus-alerts.yml');
test('the wall has every metric that the alerts need', async () => {
  const METRICS = `127.0.0.1:${await freePort()}`;
  await using wall = await openWall('postgres', { METRICS });
  await wall.get('/');
  const scraped = await (await fetch(`http://${METRICS}/metrics`)).text();
  const needed = new Set(readFileSync(rules, 'utf8').match(/\bstena_\w+/g));
  // This metric is missing without replicas.
  needed.delete('stena_postgres_replica_used');
  assert.ok(needed.size >= 6);
  for (const name of needed) assert.ok(scraped.includes(`# TYPE ${name} `), name);
});

/** Without replicas there is no series of them. */
const ofReplicas: Scraped = {
  'stena_postgres_replica_used{replica=""}': 0,
  'stena_postgres_replica_lag_seconds{replica=""}': 0,
};
/** Prometheus adds these, and renames a label that has such a name. */
const addedLabels = ['job', 'instance', 'exported_job'];

test('the wall has every metric and label that the Grafana board names', async () => {
  const seen: Scraped = { up: 1, ...ofReplicas };
  for (const engine of engines) {
    const METRICS = `127.0.0.1:${await freePort()}`;
    await using wall = await openWall(engine, { METRICS, READS_PER_MINUTE: '1' });
    for (let i = 0; i < 3; i += 1) await wall.get('/');
    Object.assign(seen, await scrapeOf(METRICS));
  }
  const source = readFileSync(join(import.meta.dirname, 'wall-metrics.ts'), 'utf8');
  for (const series of Object.keys(ofReplicas)) assert.ok(source.includes(`'${series.split('{')[0]}'`), series);
  const labels = new Map<string, string[]>();
  for (const series of Object.keys(seen)) {
    const [name, list = ''] = series.split('{') as [string, string?];
    const found = [...list.matchAll(/(\w+)="/g)].map(([, label]) => label!);
    labels.set(name, [...(labels.get(name) ?? addedLabels), ...found]);
  }
  const expressions = boardExpressions();
  assert.ok(expressions.length >= 30);
  for (const expr of expressions) {
    const named = namesIn(expr);
    assert.notEqual(named.metrics.length, 0, expr);
    for (const metric of named.metrics) {
      assert.ok(labels.has(metric), `${metric} in ${expr}`);
      for (const label of named.labels)
        assert.ok(labels.get(metric)!.includes(label), `${label} of ${metric} in ${expr}`);
    }
  }
});

test('leaves out a source that fails or does not respond', async () => {
  const registry = new Registry();
  registry.add(() => [gauge('one', 'First.', 1)]);
  registry.add(() => {
    throw new Error('out of reach');
  });
  registry.add(() => Promise.reject(new Error('out of reach')));
  registry.add(() => new Promise(() => {}));
  registry.add(async () => [gauge('two', 'Second.', 2)]);
  const text = registry.text();
  assert.ok((await ticksUntil(text)) < 500);
  assert.deepEqual(parseMetrics(await text), { one: 1, two: 2 });
});

test('escapes quotes, backslashes and line breaks in labels', async () => {
  const registry = new Registry();
  registry.add(() => [gauge('one', 'First.', [{ labels: { of: 'a"b\\c\nd' }, value: 1 }])]);
  assert.deepEqual(parseMetrics(await registry.text()), { 'one{of="a\\"b\\\\c\\nd"}': 1 });
});
