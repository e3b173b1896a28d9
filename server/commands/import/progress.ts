const width = 30;

/** Draws a bar on a terminal; elsewhere prints a line for each tenth. */
export function showProgress(total: number, print: (text: string) => void): (done: number) => void {
  const { stderr } = process;
  let shown = 0;
  return (done) => {
    const share = done / total;
    if (stderr.isTTY) {
      const full = Math.round(share * width);
      stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${done} из ${total}${done === total ? '\n' : ''}`);
    } else if (Math.floor(share * 10) > shown) {
      shown = Math.floor(share * 10);
      print(`${done} из ${total}`);
    }
  };
}
