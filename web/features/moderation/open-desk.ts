import type { Desk, DeskParams, DeskRequest } from './desk/desk-part.tsx';

/** A file between the page and the desk, so that the names of the desk's files are not part of the first load. */
export async function openDesk(params: DeskParams, request: DeskRequest): Promise<Desk> {
  return (await import('./desk/desk-part.tsx')).openDesk(params, request);
}
