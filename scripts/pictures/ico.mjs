const headLength = 22;

/** An .ico file around one PNG: some programs ask for nothing else. */
export function icoOf(png, side) {
  const head = Buffer.alloc(headLength);
  head.writeUInt16LE(1, 2); // An icon, not a cursor,
  head.writeUInt16LE(1, 4); // one picture in it.
  head.writeUInt8(side, 6);
  head.writeUInt8(side, 7);
  head.writeUInt16LE(1, 10); // One plane
  head.writeUInt16LE(32, 12); // of 32 bits a pixel.
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(headLength, 18);
  return Buffer.concat([head, png]);
}
