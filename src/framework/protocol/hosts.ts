/** Who asks the provider, by the command that users call. */
export type HostName = "steward" | "terraform";

/** What a host can do. */
export interface Host {
  /**
   * Whether a run looks into what one that was killed left open. Where none does, something that is there just as
   * declared may have been made by that one.
   */
  readonly settlesKilledRuns: boolean;
  /**
   * Whether it tells by itself that an object has another address now. Where it doesn't, what is both destroyed and
   * declared is refused.
   */
  readonly findsMoves: boolean;
}

export const HOSTS: Readonly<Record<HostName, Host>> = {
  steward: { settlesKilledRuns: true, findsMoves: true },
  terraform: { settlesKilledRuns: false, findsMoves: false },
};
