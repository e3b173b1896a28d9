import { addresses, type WallTextName } from '#contract/addresses.ts';
import { getWallText, type WallText } from '#contract/wall-texts.ts';
import type { Page } from '../router/page.ts';
import { WallTextSkeleton } from '../features/wall-texts/wall-text-skeleton.tsx';
import { WallTextPage } from '../features/wall-texts/wall-text-page.tsx';
import { notFound } from './not-found.tsx';

/** A text of the operator: about the wall, its rules, privacy, consent. */
export const wallText: Page<{ name: WallTextName }, { wallText: WallText }> = {
  address: addresses.wallText,
  access: 'public',
  load: async ({ name }, { call, signal }) => ({ wallText: await call(getWallText, { params: { name }, signal }) }),
  missing: notFound,
  describe: (_, shown) => ({ heading: shown?.wallText.title ?? '' }),
  skeleton: <WallTextSkeleton />,
  Component: WallTextPage,
};
