import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Preloaded into a server: its syncs succeed at once and write nothing to the disk.
Object.assign(fs, {
  fdatasync(_fd: number, done: (error: null) => void): void {
    setImmediate(done, null);
  },
});
syncBuiltinESMExports();
