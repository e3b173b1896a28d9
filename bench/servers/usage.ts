/** What a process has taken so far. */
export interface Usage {
  cpuMicroseconds: number;
  /** Resident, at this moment. */
  memoryBytes: number;
}
