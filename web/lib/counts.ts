const units = [
  { size: 1e12, name: 'трлн.' },
  { size: 1e9, name: 'млрд.' },
  { size: 1e6, name: 'млн.' },
  { size: 1e3, name: 'тыс.' },
];

/** 999, 1 тыс., 1,2 тыс., 999,9 тыс., 1 млн.: one decimal, rounded down so that it never exceeds the count. */
export function shortCount(count: number): string {
  const unit = units.find(({ size }) => count >= size);
  if (unit === undefined) return String(count);
  // In whole tenths, because floating point cannot represent 1.2 exactly.
  const tenths = Math.floor(count / (unit.size / 10));
  const whole = Math.floor(tenths / 10);
  const decimal = tenths % 10;
  return decimal === 0 ? `${whole} ${unit.name}` : `${whole},${decimal} ${unit.name}`;
}
