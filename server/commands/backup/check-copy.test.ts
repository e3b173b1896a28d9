import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { done, doneWith, freshPlaceToCopy, refused } from '../../../test/kit/backup-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openDatabase } from '../../db/open-database.ts';
import { createPost } from '../../features/posts/writes.ts';
import { lastCopyCheck } from '../../ops/backups.ts';

const now = Math.floor(Date.now() / 1_000) - 3_600;

for (const engine of engines) {
  test(`a copy of a wall on ${engine} is proven by restoring it, and a lack is reported`, async (t) => {
    const { place, remove } = await freshPlaceToCopy(engine);
    t.after(remove);
    const [folder, second] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'stena-copies-'))));
    t.after(() => Promise.all([folder!, second!].map((path) => rm(path, { recursive: true }))));
    const db = await openDatabase(place, () => {});
    t.after(() => db.close());
    const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now }));
    const write = () => db.tx((tx) => createPost(tx, { userId, text: 'привет', now }));
    for (let i = 0; i < 3; i += 1) await write();

    const file = join(folder!, 'night.backup');
    assert.equal(await lastCopyCheck(db.read), null);
    await doneWith({ COPY_TO: second! }, place, 'backup', file);
    assert.deepEqual((await readdir(second!)).toSorted(), ['night.backup', 'night.backup.sha256']);
    assert.match(await done(place, 'check-copy', join(second!, 'night.backup')), /записей и ответов 3, расхождений 0/);
    const { at, ...good } = (await lastCopyCheck(db.read))!;
    assert.ok(at > now);
    assert.deepEqual(good, { posts: 3, differences: 0, failure: null });

    // By their time, these posts should be in the copy.
    await write();
    await write();
    assert.match(await refused(place, ['check-copy', file]), /расхождений: 2/);
    assert.deepEqual([(await lastCopyCheck(db.read))!.posts, (await lastCopyCheck(db.read))!.differences], [3, 2]);

    await writeFile(file, 'x', { flag: 'a' });
    assert.match(await refused(place, ['check-copy', file]), /сумма SHA-256 не сходится/);
    assert.match((await lastCopyCheck(db.read))!.failure!, /сумма SHA-256 не сходится/);
    assert.deepEqual((await readdir(folder!)).toSorted(), ['night.backup', 'night.backup.sha256'], 'nothing is left');
    await rm(second!, { recursive: true });
    await writeFile(second!, '');
    assert.match(
      await refused(place, ['backup', join(folder!, 'more.backup')], { COPY_TO: second! }),
      /не записан|не сделан/i,
    );
  });
}
