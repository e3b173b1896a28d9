import { addresses, type WallTextName } from '#contract/addresses.ts';
import type { WallText } from '#contract/wall-texts.ts';
// The HTML of every public page has the styles of the first load alone.
import '../features/wall-texts/wall-text-links.module.css';
import '../features/wall-texts/wall-text-page.module.css';
import wallTextSkeletonStyles from '../features/wall-texts/wall-text-skeleton.module.css';
import { namedOnDemand } from '../lib/on-demand.ts';
import type { Page } from '../router/page.ts';
import visuallyHidden from '../ui/visually-hidden.module.css';
import { notFound } from './not-found.tsx';

/** The shape of a text with paragraphs. */
function WallTextSkeleton() {
  return (
    <div className={wallTextSkeletonStyles.lines}>
      <span className={visuallyHidden.always}>Загрузка</span>
      {Array.from({ length: 12 }, (_, index) => (
        <span key={index} className={wallTextSkeletonStyles.line} />
      ))}
    </div>
  );
}

const part = namedOnDemand(() => import('../features/wall-texts/wall-text-page.tsx'), 'WallTextPage');

/** A text of the operator: about the wall, its rules, privacy, consent. */
export const wallText: Page<{ name: WallTextName }, { wallText: WallText }> = {
  address: addresses.wallText,
  access: 'public',
  async load({ name }, { call, signal }) {
    const [text] = await Promise.all([call('GET /documents/{name}', { params: { name }, signal }), part.load()]);
    return { wallText: text };
  },
  missing: notFound,
  describe: (_, shown) => ({ heading: shown?.wallText.title ?? '' }),
  skeleton: <WallTextSkeleton />,
  Component({ wallText: text }) {
    const Part = part.here()!;
    return <Part wallText={text} />;
  },
  prefetch: part.load,
};
