/** Reports the counts of the whole run as JSON. `npm test` adds them up. */
export default async function* countsReporter(source) {
  for await (const { type, data } of source) {
    if (type === 'test:summary' && data.file === undefined) yield JSON.stringify(data.counts);
  }
}
