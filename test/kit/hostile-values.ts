import fc from 'fast-check';

/** Any text: all of Unicode and lone surrogates, with frequent control characters and combining marks. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme-composite', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '\t', '\0', '\u0301', '\u202e', '\ud800', '\u2800', 'ё') }),
);

/** Values where a string is expected. */
export const hostileString = fc.oneof(
  text,
  fc.mixedCase(fc.emailAddress()),
  fc.stringMatching(/^[a-zA-Z0-9_]{4,33}$/),
  fc.constantFrom(
    '',
    '0',
    '1',
    '2',
    '-1',
    '1e12',
    'NaN',
    'Infinity',
    '1'.padEnd(31, '0'),
    '9'.repeat(15),
    '0x10',
    '１２３４５６',
    '123456',
    'true',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    '../../etc/passwd',
    "' or 1=1 --",
    '"); drop table users; --',
    '<script>alert(1)</script>',
    'a@b.ru',
    'person@example.org',
    'victim@x.ru,evil@y.ru',
    'some_body',
    'spam',
    'liked',
    'c1',
    'czzzzzzzzzz',
    '\u212arakow',
    'x'.repeat(300),
    'я'.repeat(501),
    'x'.repeat(5_000),
  ),
);

/** Any JSON value. */
export const hostileValue = fc.oneof(
  { weight: 3, arbitrary: hostileString },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, 0, -0, -1, 1.5, 1e308, 2 ** 53, true, false, [], {}, [''], [[]]),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** DEL is the only one of these bytes that is invalid in a header. */
const latin1 = (byte: number): string => String.fromCharCode(byte === 0x7f ? 0x20 : byte);

/** Header values that can be transferred. */
export const hostileHeader = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '*',
    'null',
    '-1',
    '9'.repeat(20),
    'Bearer',
    'Bearer ',
    'Bearer null',
    `Bearer 1.9999999999.${'A'.repeat(43)}`,
    `Bearer ${'9'.repeat(15)}.1.${'A'.repeat(43)}`,
    'Basic YTpi',
    'session=',
    `session=${'x'.repeat(43)}`,
    'session=%E0%A4%A; session=a; =; ;;',
    '__proto__=1; constructor=2',
    'W/"a", W/"b"',
    'br;q=0, gzip;q=2, *;q=1e9',
    '127.0.0.1, ::1, unknown, [::1]:80',
    '::ffff:999.1.1.1%eth0',
    'http://',
    'javascript:alert(1)',
    'x'.repeat(4_000),
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(latin1), maxLength: 40 }),
);
