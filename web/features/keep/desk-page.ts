import { type Address, addresses } from '#contract/addresses.ts';
import { type Desk, type DeskParams, type DeskRequest, openDesk } from '../moderation/desk/open-desk.tsx';
import { openKeep } from './open-keep.tsx';

/** Loads a page of those who keep the wall. All of them are in one file, which nobody else loads. */
export const openPage = (address: Address<DeskParams>, params: DeskParams, request: DeskRequest): Promise<Desk> =>
  address === addresses.keep
    ? openKeep(request)
    : openDesk(address === addresses.moderationWaiting ? { section: 'waiting' } : params, request);
