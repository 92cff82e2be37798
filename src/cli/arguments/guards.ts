import { type Given, invalid, option, parsed, repeatable, type Text } from "./option";
import { parseCount, parseDigest, parseLimit } from "./values";

const limit = (text: Text) => parsed(text, parseLimit);

/** How many objects a plan may change, replacements included. No limit if undefined. */
export const LIMITS = {
  maxImports: limit("--max-imports <n>: apply nothing when more objects than this would be imported"),
  maxDeletes: limit(
    "--max-deletes <n>: apply nothing when more objects than this would be deleted or replaced; each entry that a whole list loses counts, as each DELETE request of the plan does",
  ),
  maxChanges: limit("--max-changes <n>: apply nothing when more objects than this would change in any way"),
};
export type LimitArguments = Given<typeof LIMITS>;

/** Plans that create nothing have nothing to import. */
export const EXCLUDED_BY_IMPORTS = ["--refresh-only", "--destroy", "--refresh=false"];

/** Imports what is declared and live and in no state, in place of an error for each. */
export const IMPORT_EXISTING = {
  importExisting: option(
    "--import-existing: take over declared objects that exist on the service and are in no state",
    { excludes: EXCLUDED_BY_IMPORTS },
  ),
};

/** How many projects may leave a fleet whose list is empty or shrinks by more than a tenth; none if undefined. */
export const LEAVING = {
  allowLeaving: limit(
    "--allow-leaving <n>: let up to so many projects leave a fleet, where its list is empty or lacks more than a tenth of them",
  ),
};

/** Files of waivers. */
export const WAIVERS = {
  waivers: repeatable(
    "--waivers <file>: accept what the waivers of this YAML file name, each until a day; may be given more than once",
  ),
};

/** The rules that a plan is checked against, and what is accepted against them. */
export const POLICIES = {
  /** Modules that export rules, in addition to those that cdktf.json names. */
  policies: repeatable(
    "--policy <module>: check the plan against the rules that this module exports, in addition to `policy` of cdktf.json; may be given more than once",
  ),
  ...WAIVERS,
  waive: option("--waive <rule>: accept what this rule finds, for this run alone; needs --reason", {
    requires: "--reason TEXT",
  }),
  reason: option("--reason <text>: with --waive: why, for the reports", { requires: "--waive" }),
};
export type PolicyArguments = Partial<Given<typeof POLICIES>>;

/** What neither shows all changes nor knows what is live can't be approved. */
const WITHOUT_LIVE_CHANGES = ["--refresh=false", "--refresh-only"];

/** The file for the changes to approve. */
export const OUT_APPROVAL = {
  outApproval: option(
    "--out-approval <file>: write each change with its access effect for people to approve, and print the file's digest; sensitive values are hashed",
    { excludes: WITHOUT_LIVE_CHANGES },
  ),
};

/** The changes that people approved. */
export const APPROVED = {
  approved: option(
    "--approved <file>: go on only if each change is one of this file, which --out-approval wrote",
    { excludes: WITHOUT_LIVE_CHANGES },
  ),
  digest: parsed("--digest <sha256>: the digest of the file, as it was approved", parseDigest),
  approvals: parsed(
    "--approvals <n>: with --approved: how many people approved it, for policies that ask for several (default: 1)",
    parseCount,
  ),
};

/** The file, its digest, and how many people approved it, as the caller counted. */
export function readApproved({ approved: file, digest, approvals }: Given<typeof APPROVED>) {
  if (file === undefined && digest === undefined && approvals === undefined) return undefined;
  if (file === undefined || digest === undefined)
    return invalid(
      "Missing option",
      `${file === undefined ? "--digest and --approvals belong" : "--approved belongs"} to a file and its digest. Give --approved FILE and --digest SHA256.`,
    );
  return { file, digest, approvals: approvals ?? 1 };
}
export type ApprovedArguments = NonNullable<ReturnType<typeof readApproved>>;
