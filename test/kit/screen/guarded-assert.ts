import assert from 'node:assert/strict';

const isNode = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && 'nodeType' in value && 'ownerDocument' in value;

const outline = (value: unknown): string =>
  isNode(value) ? (value.outerHTML ?? value.nodeName).slice(0, 200) : String(value);

type Compare = (actual: unknown, expected: unknown, ...message: string[]) => void;

/**
 * Comparisons of nodes that fail print one line. The runner would print both sides, whose properties lead to the whole window:
 * gigabytes, for minutes.
 */
export function guardAssert(): void {
  for (const name of ['equal', 'deepEqual', 'notEqual'] as const) {
    const compare = assert[name] as Compare;
    const guarded: Compare = (actual, expected, ...message) => {
      if (!isNode(actual) && !isNode(expected)) return compare(actual, expected, ...message);
      const isSame = actual === expected;
      assert.ok(isSame === (name !== 'notEqual'), message[0] ?? `${name}: ${outline(actual)} and ${outline(expected)}`);
    };
    Object.assign(assert, { [name]: guarded });
  }
}
