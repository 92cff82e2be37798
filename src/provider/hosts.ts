/** Who asks the provider, by the command that users call. */
export type HostName = "steward" | "terraform";

/** What a host can do, and what its users type. */
export interface Host {
  readonly importCommand: string;
  readonly dropCommand: string;
  /**
   * Whether a run looks into what one that was killed left open. Where none does, something that is there just as
   * declared may have been made by that one.
   */
  readonly settlesKilledRuns: boolean;
}

export const HOSTS: Readonly<Record<HostName, Host>> = {
  steward: {
    importCommand: "steward import",
    dropCommand: "steward state rm",
    settlesKilledRuns: true,
  },
  terraform: {
    importCommand: "terraform import",
    dropCommand: "terraform state rm",
    settlesKilledRuns: false,
  },
};
