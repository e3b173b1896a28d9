import assert from 'node:assert/strict';
import { openBrowser } from '../../../test/kit/sign-in.ts';
import { startProcessorClock } from '../../../test/kit/processor-time.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

const hostile = [
  '| |@|a@|@b.ru|a@b|a@b.c|a b@c.ru|a@b .ru|a@@b.ru|a@b@c.ru|victim@x.ru,evil@y.ru|a@x.ru;b@y.ru|a,b@x.ru|a;b@x.ru'.split(
    '|',
  ),
  '"a b"@x.ru|a"b@x.ru|<a@x.ru>|A <a@x.ru>|a@x.ru>|a:b@x.ru|a(b)@x.ru|a[b]@x.ru|a\\b@x.ru|a%b@x.ru'.split('|'),
  'a@x.ru\r\nBcc: b@y.ru|a\n@x.ru|a\0@x.ru|a@x\0.ru|a@[127.0.0.1]|a@127.0.0.1|a@1.2|a@0x7f.1|a@x..ru|a@.x.ru|a@x.ru.'.split(
    '|',
  ),
  'a@-x.ru|a@x-.ru|a@x_y.ru|a@x.ru/y|a@x.ru?y|a@x.ru#y|a@x.ru:25|a@user:pw@x.ru|a@x.123'.split('|'),
  'a@x.ru\u2028b|a@x。ru|a\u00ad@x.ru|a@x.ru\u202e|a@x\ud800.ru|K@x.ru\u212a|\u212a@x.ru'.split('|'),
  [`${'a'.repeat(65)}@x.ru`, `a@${'b'.repeat(64)}.ru`, `a@${'b.'.repeat(200)}ru`],
  ['@'.repeat(4_000), `a@${'@'.repeat(4_000)}`, `${'a.'.repeat(3_000)}@x.ru`],
].flat();
const unusual =
  "ok+tag@почта.рф|o'neil@x.ru|A.B-c_d@Sub.Example.ORG|x@x.xn--p1ai| пробел@x.ru|Иван.Петров@почта.рф|и\u0306@x.ru|ж😀@x.ru|a@ｘ.ru".split(
    '|',
  );

onWalls()('hostile addresses are refused or reach exactly the mailbox they name', async (wall) => {
  const spent = startProcessorClock();
  for (const email of [...hostile, ...unusual]) {
    const browser = openBrowser(wall);
    const seen = wall.mail.received.length;
    const response = await browser.start('registrations', email);
    if (response.statusCode === 400) {
      assert.match(response.json().message, /[а-яё]/i);
      continue;
    }
    assert.equal(response.statusCode, 201, JSON.stringify(email));
    const operation = wall.db.read.selectFrom('operations').select('email').where('id', '=', response.json().id);
    const { email: stored } = await operation.executeTakeFirstOrThrow();
    await wall.mail.mailTo(stored);
    const recipients = wall.mail.received.slice(seen).map(({ to }) => to);
    assert.deepEqual(recipients, [[stored]]);
    assert.match(stored, /^[^\s,;:<>()[\]"\\%@\p{C}]+@[a-z0-9.-]+\.[a-z0-9-]{2,}$/u);
  }
  assert.ok(spent() < 20_000);
});
