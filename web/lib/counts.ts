const units = [
  { size: 1e12, name: 'трлн.' },
  { size: 1e9, name: 'млрд.' },
  { size: 1e6, name: 'млн.' },
  { size: 1e3, name: 'тыс.' },
];

/** 999, 1 тыс., 1,2 тыс., 999,9 тыс., 1 млн.: one decimal, cut rather than rounded, so that it never says more than there is. */
export function shortCount(count: number): string {
  const unit = units.find(({ size }) => count >= size);
  if (unit === undefined) return String(count);
  // Whole tenths first: 1.2 * 10 would already be off in floating point.
  const tenths = Math.floor(count / (unit.size / 10));
  const whole = Math.floor(tenths / 10);
  const decimal = tenths % 10;
  return decimal === 0 ? `${whole} ${unit.name}` : `${whole},${decimal} ${unit.name}`;
}
