import { type Given, invalid, option, parsed } from "./option";
import { parseCount, parseDigest } from "./values";

/** What neither shows all changes nor knows what is live can't be approved. */
const WITHOUT_LIVE_CHANGES = ["--refresh=false", "--refresh-only"];

/** The file for the changes to approve. */
export const OUT_APPROVAL = {
  outApproval: option(
    "--out-approval <file>",
    "write each change with its access effect for people to approve, and print the file's digest; sensitive values are hashed",
    { excludes: WITHOUT_LIVE_CHANGES },
  ),
};

/** The changes that people approved. */
export const APPROVED = {
  approved: option(
    "--approved <file>",
    "go on only if each change is one of this file, which --out-approval wrote",
    { excludes: WITHOUT_LIVE_CHANGES },
  ),
  digest: parsed("--digest <sha256>", "the digest of the file, as it was approved", parseDigest),
  approvals: parsed(
    "--approvals <n>",
    "with --approved: how many people approved it, for policies that ask for several (default: 1)",
    parseCount,
  ),
};

export interface ApprovedArguments {
  /** The file that `plan --out-approval` wrote. */
  readonly file: string;
  /** Its SHA-256 in hexadecimal, as it was approved. */
  readonly digest: string;
  /** How many people approved it, as the caller counted. */
  readonly approvals: number;
}

export function readApproved({
  approved: file,
  digest,
  approvals,
}: Given<typeof APPROVED>): ApprovedArguments | undefined {
  if (file === undefined && digest === undefined && approvals === undefined) return undefined;
  if (file === undefined || digest === undefined)
    return invalid(
      "Missing option",
      `${file === undefined ? "--digest and --approvals belong" : "--approved belongs"} to a file and its digest. Give --approved FILE and --digest SHA256.`,
    );
  return { file, digest, approvals: approvals ?? 1 };
}
