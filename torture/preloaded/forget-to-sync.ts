import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// The server waits for no disk, and is told that it has.
Object.assign(fs, {
  fdatasync(_fd: number, done: (error: null) => void): void {
    setImmediate(done, null);
  },
});
syncBuiltinESMExports();
