import type { DiagnosticCommand } from "../../diagnostics";

/** Between which stacks something moves, by their names. */
export interface Stacks {
  readonly from: string;
  readonly to: string;
}

/** The command that moves an object from the state of one stack to that of another. */
export const moveCommand = (
  { from, to }: Stacks,
  [address, at]: readonly [from: string, to: string],
): DiagnosticCommand => ({
  name: "steward state mv",
  options: ["--from-stack", from, "--to-stack", to],
  address,
  ...(at !== address && { args: [at] }),
});
