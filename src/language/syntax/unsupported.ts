/** The program that has a feature, and the command to run, after `steward exec --`. */
export type Program = "terraform plan" | "terraform query" | "terraform test" | "tofu plan";

/** What references of Terraform and OpenTofu can begin with, and those of the engine can't. */
const REFERENCES: Readonly<Record<string, Program>> = {
  module: "terraform plan",
  ephemeral: "terraform plan",
  action: "terraform plan",
  list: "terraform query",
  "terraform.applying": "terraform plan",
  tofu: "tofu plan",
};

/** The program that has a kind of reference that the engine does not have. */
export const programForReference = (address: string): Program | undefined =>
  REFERENCES[address] ?? REFERENCES[address.split(".")[0]!];

/** The sentences for a feature that the embedded engine does not have. */
export const unsupportedText = (what: string, program: Program = "terraform plan"): string =>
  `${what} is not supported by the embedded engine. ` +
  `Run ${program.startsWith("tofu") ? "OpenTofu" : "Terraform"} on this configuration: \`steward exec -- ${program}\`.`;
