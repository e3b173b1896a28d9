/** The browser needs a moment to take what it saves. */
const takenWithinMs = 60_000;

/** Has the browser save a JSON file. */
export function saveFile(name: string, json: string): void {
  const address = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), takenWithinMs);
}
