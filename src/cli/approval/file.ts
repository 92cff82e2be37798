import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { fail } from "../../diagnostics";
import { changeFacts, changeValues, type Json, objectName } from "../../engine";
import { decodeText } from "../../files";
import { parseHandwrittenJson, RepeatedKeyError, stringifyJson } from "../../json";
import { type OutputPlace, writeOutput } from "../outputs/write-output";
import { approvers, neededApprovals } from "../policy/approvers";
import { policyResults } from "../policy/results";
import { addressesIn } from "../reports/safe-report";
import { readNamed, type Terminal } from "../terminal/terminal";
import { noKey } from "./addresses-in-plans";
import { fileKey, hasHidden, hideAddresses, revealAddresses } from "./hidden-addresses";

/** People and projects that gain something in one place. */
const gain = z.strictObject({
  /** The place within the project or group, and the ability, such as `environment production: deploy`. */
  what: z.string(),
  who: z.array(z.string()),
});

const approvedChange = z.strictObject({
  service: z.string(),
  stack: z.nullable(z.string()),
  /** The project or group, such as `project acme/web`. */
  in: z.optional(z.string()),
  id: z.nullable(z.string()),
  ...changeFacts,
  ...changeValues,
  /** The service keeps the destroyed object: the object leaves only the state. */
  stays_on_service: z.optional(z.literal(true)),
  /** The access that the change gives and takes away. */
  access: z.array(z.string()),
  /** People and projects that gain access, by name. Absent without gains. */
  gains: z.optional(z.array(gain)),
  /** The change only reverts a manual change: it restores values that the last apply wrote. */
  is_revert: z.optional(z.literal(true)),
  /** The people who have to approve the change, if it violates policies that ask for several or for named people. */
  needs: z.optional(neededApprovals),
});

const receivers = z.strictObject({
  /** The addresses of the services of all provider configurations. */
  services: z.readonly(z.array(z.string())),
  /** The origins of states over HTTP. */
  states: z.readonly(z.array(z.string())),
});
/** The receivers of the tokens of an apply. */
export type ApprovedReceivers = z.infer<typeof receivers>;

const ruleChange = z.strictObject({
  /** A line about the change, and the changed lines of a file. */
  what: z.string(),
  is_looser: z.optional(z.literal(true)),
});

/** The version of the file format. Files of other versions are refused. */
export const FORMAT_VERSION = "2.0";

const approvalFile = z.strictObject({
  format_version: z.literal(FORMAT_VERSION),
  commit: z.nullable(z.string()),
  /** The hash of the policies that the plan was checked against; null without policies. */
  policies: z.nullable(z.string()),
  /** The number of people who have to approve the changes, at least one. */
  approvals: z.int().check(z.minimum(1)),
  /** Options of a policy about the people who approve. */
  approvers: z.optional(approvers),
  /** The people that have to approve any change. Absent if no change needs more. */
  needed_by_all: z.optional(neededApprovals),
  ...policyResults,
  /** Absent in files of earlier releases and of Terraform's plans. */
  receivers: z.optional(receivers),
  /** The changed rules, compared with the target branch. Absent if the plan had no checkout of that branch. */
  rule_changes: z.optional(z.readonly(z.array(ruleChange))),
  /**
   * The stacks that could not be planned, each with the reason. The file does not contain their changes. Absent if all stacks
   * have a plan.
   */
  unplanned: z.optional(z.readonly(z.array(z.strictObject({ stack: z.string(), why: z.string() })))),
  /** The parts of Terraform's plan besides its changes, by name: a hash, or the value of an output. */
  plan: z.optional(z.record(z.string(), z.string())),
  changes: z.array(approvedChange),
});

/** A change that people approve. */
export type ApprovedChange = z.infer<typeof approvedChange>;
/** People and projects that gain an ability in a project or group. */
export type Gain = z.infer<typeof gain>;
/** The file that people approve: all changes of a plan, and nothing else. */
export type Approval = z.infer<typeof approvalFile>;

/** Returns the name of the object of a change, for messages and as a key. */
export const nameOfApproved = ({ stack, address, deposed }: ApprovedChange): string =>
  `${stack === null ? "" : `stack ${stack}: `}${objectName(address, deposed)}`;

/** The action of a change in the words of plans. */
export const verbOf = ({ action }: Pick<ApprovedChange, "action">): string =>
  action === "delete" ? "destroy" : action;

/**
 * Returns an approval as the text of a file. The same changes always have the same text.
 *
 * @param key encrypts e-mail addresses
 */
export function formatApproval(approval: Approval, key?: string): string {
  const keyed = approval.changes.map((change) => [nameOfApproved(change), change] as const);
  const changes = keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, change]) => change);
  return hideAddresses(`${stringifyJson({ ...approval, changes } as unknown as Json, 2)}\n`, key);
}

/** The digest of the text: what `sha256sum FILE` prints. */
export const digestOf = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

/**
 * Writes the file atomically, and returns its digest. The file is for other people, so a file with e-mail addresses needs the key
 * that encrypts them.
 *
 * @throws DiagnosticError `approval_not_written`
 */
export async function writeApproval(
  file: string,
  approval: Approval,
  place: OutputPlace & Pick<Terminal, "env">,
): Promise<string> {
  const key = fileKey(place.env);
  const text = formatApproval(approval, key);
  if (key === undefined && addressesIn(text).length > 0)
    fail(noKey(file, "approval", "approval_not_written"));
  await writeOutput(
    { kind: "approval", file, text, reader: (bytes) => parseApproval(bytes, file, key) },
    place,
  );
  return digestOf(text);
}

/** Reads a file for a comment. @throws DiagnosticError `approval_invalid` */
export async function readForComment(file: string, terminal: Pick<Terminal, "env" | "folder" | "readInput">) {
  const { bytes, name } = await readNamed(file, "approval_invalid", terminal);
  const approval = parseApproval(bytes, name, fileKey(terminal.env));
  return { digest: digestOf(bytes), approval, text: bytes.toString("utf8") };
}

/**
 * Reads a file that `writeApproval` wrote.
 *
 * @param digest the digest that people approved, in hexadecimal
 * @throws DiagnosticError `approval_invalid`; `approval_differs` if the digest is of another file
 */
export async function readApproval(
  file: string,
  digest: string,
  terminal: Pick<Terminal, "env" | "folder" | "readInput">,
): Promise<Approval> {
  const { bytes, name } = await readNamed(file, "approval_invalid", terminal);
  const found = digestOf(bytes);
  if (found !== digest)
    fail({
      code: "approval_differs",
      summary: "Digest does not match the approval",
      detail: `${name} has the digest ${found}, but ${digest} was approved. Nothing was sent. Pass the approved file, or ask for approval of this file.`,
    });
  return parseApproval(bytes, name, fileKey(terminal.env));
}

/**
 * Reads the text of an approval, and accepts only what `formatApproval` writes. In any other text, such as one with a
 * repeated key, people and programs may read different things.
 *
 * @param key decrypts e-mail addresses
 */
export function parseApproval(bytes: Buffer, name: string, key?: string): Approval {
  const written = decodeText(bytes);
  const text = revealAddresses(written, key);
  if (hasHidden(text))
    return refused(
      `${name} has encrypted e-mail addresses, and ${key === undefined ? "STEWARD_ADDRESS_KEY is not set" : "STEWARD_ADDRESS_KEY does not decrypt them"}.`,
    );
  const approval = readText(text, name);
  if (approval === undefined) return refused(whyUnreadable(text, name));
  const names = approval.changes.map(nameOfApproved);
  const twice = names.find((one, at) => names.indexOf(one) !== at);
  if (twice !== undefined) return refused(`${name} contains two changes of ${twice}.`);
  if (formatApproval(approval, text === written ? undefined : key) !== written)
    return refused(`${name} was edited after \`steward plan --out-approval\` wrote it.`);
  return approval;
}

/** Explains an unreadable text. An approval of an earlier release begins like an approval of this release. */
function whyUnreadable(text: string, name: string): string {
  const [, version] = /^\{\s*"format_version": ?"(\d+\.\d+)",\s*"commit":/.exec(text) ?? [];
  return version === undefined || version === FORMAT_VERSION
    ? `${name} is not an approval file that \`steward plan --out-approval\` wrote.`
    : `${name} has the file format ${version}, but this release of Steward reads only ${FORMAT_VERSION}.`;
}

/** Reads an approval in which texts were hidden; undefined for any other text. */
export const readCopy = (text: string): Approval | undefined => readText(text, "the comment");

function readText(text: string, name: string): Approval | undefined {
  try {
    return approvalFile.parse(parseHandwrittenJson(text));
  } catch (problem) {
    if (problem instanceof RepeatedKeyError) return refused(`${name} can't be used: ${problem.message}.`);
    return undefined;
  }
}

const refused = (why: string): never =>
  fail({
    code: "approval_invalid",
    summary: "Not an approval",
    detail: `${why} Nothing was sent. Create a new file with \`steward plan --out-approval FILE\`.`,
  });
