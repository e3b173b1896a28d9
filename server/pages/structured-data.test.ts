import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWall } from '../../test/kit/wall.ts';

const PUBLIC_URL = 'https://wall.example';

test('a post’s page describes the post and its replies for search engines, and no text ends the script', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL });
  const [anna, boris] = [await wall.person('anna_petrova'), await wall.person('boris_77')];
  const root = await wall.post(anna, 'вопрос </script><script>alert(1)</script>');
  const reply = await wall.reply(boris, root, 'ответ <!--<script>');
  const described = async (path: string) => {
    const blocks = (await wall.get(path)).text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g);
    return [...blocks].map(([, json]) => JSON.parse(json!));
  };

  const [posting, ...others] = await described(`/posts/${root}`);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [posting['@context'], posting['@type'], posting.url, posting.text, posting.isPartOf],
    [
      'https://schema.org',
      'DiscussionForumPosting',
      `${PUBLIC_URL}/posts/${root}`,
      'вопрос </script><script>alert(1)</script>',
      undefined,
    ],
  );
  assert.deepEqual(posting.author, {
    '@type': 'Person',
    name: 'anna_petrova',
    url: `${PUBLIC_URL}/users/anna_petrova`,
  });
  assert.equal(posting.datePublished, new Date(1_700_000_000_000).toISOString());
  assert.deepEqual(
    posting.interactionStatistic.map((counter: Record<string, unknown>) => counter['userInteractionCount']),
    [0, 1],
  );
  assert.deepEqual(
    posting.comment.map((comment: Record<string, unknown>) => [comment['@type'], comment['url'], comment['text']]),
    [['Comment', `${PUBLIC_URL}/posts/${reply}`, 'ответ <!--<script>']],
  );
  const [nested] = await described(`/posts/${reply}`);
  assert.deepEqual([nested.isPartOf, nested.comment], [`${PUBLIC_URL}/posts/${root}`, undefined]);
  assert.deepEqual(await described('/'), []);
});

test('every page with posts links to their feeds, which exist', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL, APP_NAME: 'Двор' });
  const id = await wall.post(await wall.person('anna_petrova'), 'запись');
  const wallFeed = ['Двор', '/feed.xml'];
  const authorFeed = ['anna_petrova - Двор', '/users/anna_petrova/feed.xml'];
  for (const [path, expected] of Object.entries({
    '/': [wallFeed],
    '/users/anna_petrova': [authorFeed],
    [`/posts/${id}`]: [wallFeed, authorFeed],
    '/settings': [],
  })) {
    const links = (await wall.get(path)).text.matchAll(
      /<link rel="alternate" type="application\/atom\+xml" title="([^"]+)" href="([^"]+)"\/>/g,
    );
    const named = [...links].map(([, title, href]) => [title, href]);
    assert.deepEqual(named, expected, path);
    for (const [, href] of named) assert.equal((await wall.get(href!)).status, 200, href!);
  }
});
