/** Who asks the provider, by the command that users call. */
export type HostName = "steward" | "terraform";

/** What a host can do. */
export interface HostCapabilities {
  /**
   * Whether a run looks into what one that was killed left open. Where none does, something that is there just as
   * declared may have been made by that one.
   */
  readonly recoversKilledRuns: boolean;
  /**
   * Whether it tells by itself that an object has another address now. Where it doesn't, what is both destroyed and
   * declared is refused.
   */
  readonly findsMoves: boolean;
}

export const HOSTS: Readonly<Record<HostName, HostCapabilities>> = {
  steward: { recoversKilledRuns: true, findsMoves: true },
  terraform: { recoversKilledRuns: false, findsMoves: false },
};
