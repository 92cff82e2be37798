import type { DiagnosticCommand } from "../../diagnostics";

/** Who asks the provider, by the command that users call. */
export type HostName = "steward" | "terraform";

/** What a host can do, and what its users type. */
export interface Host {
  readonly importCommand: string;
  readonly dropCommand: string;
  /** How to go on without an object of a type (its full name) that can't be looked at: what ends a diagnostic's detail, and the command. */
  letGo(type: string): {
    readonly lines: readonly [string, ...string[]];
    readonly command?: DiagnosticCommand;
  };
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

/** The block that takes an object out of a state of Terraform's and leaves it on the service. */
export const removedBlock = (from: string): string[] => [
  "removed {",
  `  from = ${from}`,
  "",
  "  lifecycle {",
  "    destroy = false",
  "  }",
  "}",
];

export const HOSTS: Readonly<Record<HostName, Host>> = {
  steward: {
    importCommand: "steward import",
    dropCommand: "steward state rm",
    letGo: () => ({
      lines: [
        "To go on without this object, take its declaration out of the code and drop it from the state with this command, " +
          "which leaves the service as it is.",
      ],
      command: { name: "steward state rm" },
    }),
    settlesKilledRuns: true,
    findsMoves: true,
  },
  terraform: {
    importCommand: "terraform import",
    dropCommand: "terraform state rm",
    // Terraform reads no object that such a block names, so its plan succeeds.
    letGo: (type) => ({
      lines: [
        "To go on without this object, put a block in the place of its declaration that makes Terraform forget it, without " +
          "reading it and without a change on the service:",
        "",
        ...removedBlock(`${type}.NAME`),
      ],
    }),
    settlesKilledRuns: false,
    findsMoves: false,
  },
};
