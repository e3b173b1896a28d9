import { hidden, hidingBody, type Malformed, post } from './malformed.ts';

const disguises: Record<string, string> = {
  'as it is': 'Transfer-Encoding: chunked',
  'in other letters': 'tRANSFER-eNCODING: cHUNKED',
  'without a space': 'Transfer-Encoding:chunked',
  'with many spaces': 'Transfer-Encoding:    chunked   ',
  'with a tab': 'Transfer-Encoding:\tchunked\t',
  'with a vertical tab': 'Transfer-Encoding:\x0bchunked',
  'with a form feed': 'Transfer-Encoding: \x0cchunked',
  'with a space before the colon': 'Transfer-Encoding : chunked',
  'with a tab before the colon': 'Transfer-Encoding\t: chunked',
  'with a space before the name': ' Transfer-Encoding: chunked',
  'on a folded line': 'Transfer-Encoding:\r\n chunked',
  'folded into another': 'X: y\r\n Transfer-Encoding: chunked',
  'after a lone CR': 'X: y\rTransfer-Encoding: chunked',
  'after a lone LF': 'X: y\nTransfer-Encoding: chunked',
  'with a NUL': 'Transfer-Encoding: chunked\0',
  'in quotes': 'Transfer-Encoding: "chunked"',
  twice: 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'and identity': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'after identity': 'Transfer-Encoding: identity, chunked',
  'before identity': 'Transfer-Encoding: chunked, identity',
  'as xchunked': 'Transfer-Encoding: xchunked',
  'as identity alone': 'Transfer-Encoding: identity',
  'with a parameter': 'Transfer-Encoding: chunked; q=1',
  'empty and true': 'Transfer-Encoding:\r\nTransfer-Encoding: chunked',
  'after a comma': 'Transfer-Encoding: , chunked',
};

/** A server that uses the length and one that uses the chunks disagree about where the body ends and a request begins. */
const lengthAndChunks: Malformed[] = Object.entries(disguises).flatMap(([how, header]) =>
  [hidingBody.length, '0\r\n\r\n'.length].flatMap((length): Malformed[] => [
    {
      name: `a length of ${length} and chunks ${how}`,
      steps: [post(`Content-Length: ${length}\r\n${header}`, hidingBody)],
      hides: true,
    },
    {
      name: `chunks ${how} and a length of ${length}`,
      steps: [post(`${header}\r\nContent-Length: ${length}`, hidingBody)],
      hides: true,
    },
  ]),
);

const lengths = [
  `${hidden.length}\r\nContent-Length: 0`,
  `0\r\nContent-Length: ${hidden.length}`,
  `0, ${hidden.length}`,
  '+0',
  '-1',
  '0x0',
  '0;',
  '0 0',
  '0e0',
  '00000000000000000000000000000000000000000x',
  '9'.repeat(40),
  '18446744073709551616',
  '',
  'null',
  '\x0b0',
];

const twoLengths: Malformed[] = lengths.map((length) => ({
  name: `a length of ${JSON.stringify(length)}`,
  steps: [post(`Content-Length: ${length}`, hidden)],
  hides: true,
}));

const chunked = (body: string): string => post('Transfer-Encoding: chunked', body);

const chunks: Malformed[] = [
  ...['-1', '0x2', 'g', '', ' 2', '2 ', '+2', '1'.repeat(17), 'f'.repeat(16), '2\x0b', '2\0'].map(
    (size): Malformed => ({
      name: `a chunk of ${JSON.stringify(size)} bytes`,
      steps: [chunked(`${size}\r\n{}\r\n0\r\n\r\n`)],
      swallows: true,
    }),
  ),
  {
    name: 'a chunk that ends in LF alone',
    steps: [chunked(`2\n{}\n0\n\n${hidden}`)],
    hides: true,
    visibleToNginx: true,
  },
  { name: 'a chunk longer than it says', steps: [chunked(`2\r\n{}{}\r\n0\r\n\r\n`)] },
  { name: 'an extension of megabytes', steps: [chunked(`2;${'x'.repeat(3_000_000)}\r\n{}\r\n0\r\n\r\n`)] },
  { name: 'an extension with a LF', steps: [chunked(`2;a\nb\r\n{}\r\n0\r\n\r\n${hidden}`)], hides: true },
  { name: 'megabytes of trailers', steps: [chunked(`0\r\n${`X: ${'y'.repeat(1_000)}\r\n`.repeat(2_000)}\r\n`)] },
  { name: 'a length in the trailers', steps: [chunked(`2\r\n{}\r\n0\r\nContent-Length: ${hidden.length}\r\n\r\n`)] },
  { name: 'ten thousand chunks of a byte', steps: [chunked(`${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`)] },
  {
    name: 'chunks over the limit',
    steps: [chunked(`1000\r\n${' '.repeat(4_096)}\r\n`.repeat(9))],
    swallows: true,
  },
];

/** The end of a body is given twice, wrongly or not at all. */
export const badLengths: readonly Malformed[] = [...lengthAndChunks, ...twoLengths, ...chunks];
