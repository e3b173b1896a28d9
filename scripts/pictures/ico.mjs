const headLength = 22;

/** An .ico file that contains one PNG, for programs that request only /favicon.ico. */
export function icoOf(png, side) {
  const head = Buffer.alloc(headLength);
  head.writeUInt16LE(1, 2); // Type: icon
  head.writeUInt16LE(1, 4); // Number of images
  head.writeUInt8(side, 6);
  head.writeUInt8(side, 7);
  head.writeUInt16LE(1, 10); // Color planes
  head.writeUInt16LE(32, 12); // Bits per pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(headLength, 18);
  return Buffer.concat([head, png]);
}
