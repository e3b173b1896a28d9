import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** The programs and libraries of a folder by the kind of machine on which they run (e_machine). */
export function machinesIn(folder) {
  const machines = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const machine = machineOf(file);
    if (machine !== undefined) machines.set(machine, [...(machines.get(machine) ?? []), file]);
  }
  return machines;
}

/** Undefined for a file that is neither a program nor a library. */
function machineOf(file) {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  const read = readSync(descriptor, header, 0, header.length, 0);
  closeSync(descriptor);
  const isElf = read === header.length && header.readUInt32BE(0) === 0x7f_45_4c_46;
  return isElf ? header.readUInt16LE(18) : undefined;
}
