/** Milliseconds of processor time that this thread has needed since the call. Other work on the machine adds nothing. */
export function startProcessorClock(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Milliseconds of processor time that work without a pause needs. They are counted in ticks of a few milliseconds. */
export function processorMs(work: () => void): number {
  const spent = startProcessorClock();
  work();
  return spent();
}
