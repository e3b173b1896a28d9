/** The number behind an id of the contract, which is opaque text to clients; undefined for a malformed one. */
export const parseId = (id: string): number | undefined => (/^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : undefined);
