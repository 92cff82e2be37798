/** The host, by the command that users run. */
export type HostName = "steward" | "terraform";

/** The capabilities of a host. */
export interface HostCapabilities {
  /**
   * Whether a run recovers the pending changes of a killed one. If not, an existing object that equals the
   * declaration may have been created by a killed run.
   */
  readonly recoversKilledRuns: boolean;
  /**
   * Whether the host detects moves itself. If not, an object that is both destroyed and declared is refused.
   */
  readonly findsMoves: boolean;
}

export const HOSTS: Readonly<Record<HostName, HostCapabilities>> = {
  steward: { recoversKilledRuns: true, findsMoves: true },
  terraform: { recoversKilledRuns: false, findsMoves: false },
};
