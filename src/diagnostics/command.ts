import { shellWord } from "../text";

/**
 * A command about one object. What the object is called is known to the host alone, which writes it; under Terraform
 * nobody here knows it.
 */
export interface DiagnosticCommand {
  /** The program with its subcommand, such as `steward import`. */
  readonly name: string;
  /** What comes between that and the address. */
  readonly options?: readonly string[];
  /** Where it is about another object than the diagnostic. */
  readonly address?: string;
  /** What follows the object's address. */
  readonly args?: readonly string[];
}

/** Stands for an address that is not known here. */
const UNKNOWN_ADDRESS = "ADDRESS";

/** The command as a shell takes it. */
export const formatCommand = (
  { name, options = [], address: own, args = [] }: DiagnosticCommand,
  address = UNKNOWN_ADDRESS,
): string => [name, ...[...options, own ?? address, ...args].map(shellWord)].join(" ");
