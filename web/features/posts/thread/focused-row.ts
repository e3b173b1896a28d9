/** The id of the post in whose row of the discussion the focus is. */
export function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
}
