import type { ComponentType, ReactNode } from 'react';
import { type OnDemand, useOnDemand } from '../lib/on-demand.ts';
import { FailedNotice } from '../ui/notice.tsx';

type LazyPageProps<Props> = Props & {
  part: OnDemand<ComponentType<Props>>;
  skeleton: ReactNode;
};

/** A page's component whose code is loaded when it is first shown. */
export function LazyPage<Props extends object>({ part, skeleton, ...props }: LazyPageProps<Props>) {
  const { thing: Part, failure, retry } = useOnDemand(part, true);
  if (failure !== null) return <FailedNotice message={failure} onRetry={retry} />;
  return Part ? <Part {...(props as unknown as Props)} /> : skeleton;
}
