import { statSync } from 'node:fs';

/** The WAL has the newest writes. In the third file processes see each other's locks. */
const endings = ['', '-wal', '-shm'];

/**
 * Remembers the files of a database that has just been opened. The returned function says what has happened to them at their paths
 * since then, and what the operator does: writes into a deleted file are lost when the process ends. `leastBytes` returns the size
 * that the database file must have.
 */
export function watchFiles(file: string, leastBytes: () => number): () => string | undefined {
  const paths = endings.map((ending) => file + ending);
  const opened = paths.map(look);
  let size = opened[0]!.size;
  return () => {
    const found = paths.map(look);
    const gone = paths.find((_, i) => found[i]?.ino !== opened[i]?.ino || found[i]?.dev !== opened[i]?.dev);
    if (gone !== undefined) {
      return `Файл ${gone} удалён, перенесён или заменён, а стена работает с прежним. Не останавливайте её: всё, что в ней есть, осталось только в файлах, которые открыты у процесса ${process.pid}. Сначала сделайте из них копию: ./stena backup ФАЙЛ. Потом остановите стену и восстановите: ./stena restore ФАЙЛ --replace`;
    }
    // Another program may have made the file shorter with `vacuum`. Then fewer bytes are needed, too.
    if (found[0]!.size < size && found[0]!.size < leastBytes()) {
      return `Файл ${file} перезаписан другой программой: он стал короче. Остановите стену и восстановите последнюю копию: ./stena restore ФАЙЛ --replace`;
    }
    size = found[0]!.size;
    return undefined;
  };
}

/** A file that cannot be seen counts as a file that is not there. */
function look(path: string) {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
