import type { ReactNode } from 'react';
import { useMounted } from '../lib/observable.ts';

/** Renders its children only where scripts run: without them a text browser would show buttons that do nothing. */
export const Scripted = ({ children }: { children: ReactNode }) => useMounted() && children;
