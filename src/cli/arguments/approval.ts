import { type Command, InvalidArgumentError, Option, type OptionValues } from "commander";
import { fail } from "../../diagnostics";
import { failConflict } from "./stack-options";
import { parseCount } from "./values";

/** The changes that people approved. */
export interface ApprovedArguments {
  /** The file that `plan --out-approval` wrote. */
  readonly file: string;
  /** Its SHA-256 in hexadecimal, as it was approved. */
  readonly digest: string;
  /** How many people approved it, as the caller counted. */
  readonly approvals: number;
}

export const outApprovalOption = (): Option =>
  new Option(
    "--out-approval <file>",
    "write each change with its access effect for people to approve, and print the file's digest; sensitive values are hashed",
  );

export function readOutApproval(options: OptionValues): string | undefined {
  const file: string | undefined = options["outApproval"];
  if (file !== undefined && options["refresh"] === false) failConflict("--out-approval", "--refresh=false");
  if (file !== undefined && options["refreshOnly"] === true) failConflict("--out-approval", "--refresh-only");
  return file;
}

export const defineApproved = (command: Command): Command =>
  command
    .option("--approved <file>", "go on only if each change is one of this file, which --out-approval wrote")
    .addOption(
      new Option("--digest <sha256>", "the digest of the file, as it was approved").argParser(parseDigest),
    )
    .addOption(
      new Option(
        "--approvals <n>",
        "with --approved: how many people approved it, for policies that ask for several (default: 1)",
      ).argParser(parseCount),
    );

export function readApproved(options: OptionValues): ApprovedArguments | undefined {
  const { approved: file, digest, approvals } = options;
  const given = { "--approved": file, "--digest": digest, "--approvals": approvals };
  if (Object.values(given).every((one) => one === undefined)) return undefined;
  if (file === undefined || digest === undefined)
    return fail({
      code: "invalid_arguments",
      summary: "Missing option",
      detail: `${file === undefined ? "--digest and --approvals belong" : "--approved belongs"} to a file and its digest. Give --approved FILE and --digest SHA256.`,
    });
  if (options["refresh"] === false) failConflict("--approved", "--refresh=false");
  if (options["refreshOnly"] === true) failConflict("--approved", "--refresh-only");
  return { file, digest, approvals: approvals ?? 1 };
}

function parseDigest(text: string): string {
  const [, digest] = /^(?:sha256:)?([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  if (digest === undefined) throw new InvalidArgumentError("a SHA-256 has 64 hexadecimal digits.");
  return digest;
}
