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

/** People and projects that gain one ability in one project or group. */
const gain = z.strictObject({
  /** The object in the project or group, and the gained ability, such as `environment production: deploy`. */
  what: z.string(),
  who: z.array(z.string()),
});

const approvedChange = z.strictObject({
  service: z.string(),
  stack: z.nullable(z.string()),
  /** The project or group of the object, such as `project acme/web`. */
  in: z.optional(z.string()),
  id: z.nullable(z.string()),
  ...changeFacts,
  ...changeValues,
  /** True if the service keeps the object. The change then removes the object only from the state. */
  stays_on_service: z.optional(z.literal(true)),
  /** Lines about the access that the change gives or takes away. */
  access: z.array(z.string()),
  /** The names of people and projects that gain access. Absent if no access is gained. */
  gains: z.optional(z.array(gain)),
  /**
   * True if the change restores the values that the last apply wrote, and does nothing else. The change reverts a manual
   * change.
   */
  is_revert: z.optional(z.literal(true)),
  /**
   * The people who must approve the change. Present if the change violates policies that require several approvals, or approvals
   * of named people.
   */
  needs: z.optional(neededApprovals),
});

const receivers = z.strictObject({
  /** The addresses of the services of all provider configurations. */
  services: z.readonly(z.array(z.string())),
  /** The origins (scheme, host and port) of the servers with the states. */
  states: z.readonly(z.array(z.string())),
});
/** The services and state servers to which an apply sends its tokens. */
export type ApprovedReceivers = z.infer<typeof receivers>;

const ruleChange = z.strictObject({
  /** A text about the rule. The first line says what changed; the other lines are the changed lines of the rule's file. */
  what: z.string(),
  is_looser: z.optional(z.literal(true)),
});

/** The version of the format of approval files. Steward refuses files of other versions. */
export const FORMAT_VERSION = "2.0";

const approvalFile = z.strictObject({
  format_version: z.literal(FORMAT_VERSION),
  commit: z.nullable(z.string()),
  /** The hash of the policies with which the plan was checked; null without policies. */
  policies: z.nullable(z.string()),
  /** The number of people who have to approve the changes, at least one. */
  approvals: z.int().check(z.minimum(1)),
  /** The policy options that say who has to approve. */
  approvers: z.optional(approvers),
  /**
   * The people who must approve all changes, in addition to the people in `needs` of single changes. Absent if no change has
   * `needs`.
   */
  needed_by_all: z.optional(neededApprovals),
  ...policyResults,
  /** The receivers of the apply's tokens. Absent in files of earlier releases, and in files for plans of Terraform. */
  receivers: z.optional(receivers),
  /** The rules that differ from the rules of the target branch. Absent if the plan job had no checkout of the target branch. */
  rule_changes: z.optional(z.readonly(z.array(ruleChange))),
  /**
   * The stacks that could not be planned, each with the reason. The file contains no changes of these stacks. Absent if all
   * stacks have a plan.
   */
  unplanned: z.optional(z.readonly(z.array(z.strictObject({ stack: z.string(), why: z.string() })))),
  /**
   * The parts of Terraform's plan besides its changes, by name. Each value is the content of the part if people may read it,
   * otherwise a hash of the part.
   */
  plan: z.optional(z.record(z.string(), z.string())),
  changes: z.array(approvedChange),
});

/** A change that people approve. */
export type ApprovedChange = z.infer<typeof approvedChange>;
/** People and projects that gain an ability in a project or group. */
export type Gain = z.infer<typeof gain>;
/** The file that people approve: the changes of a plan, and the facts that decide who may approve and apply them. */
export type Approval = z.infer<typeof approvalFile>;

/** Returns the name of the object that a change concerns, for messages and as a key. */
export const nameOfApproved = ({ stack, address, deposed }: ApprovedChange): string =>
  `${stack === null ? "" : `stack ${stack}: `}${objectName(address, deposed)}`;

/** Returns the verb that plans show for the action of a change. */
export const verbOf = ({ action }: Pick<ApprovedChange, "action">): string =>
  action === "delete" ? "destroy" : action;

/**
 * Returns an approval as the text of a file. The same changes always have the same text.
 *
 * @param key the key that encrypts e-mail addresses; undefined leaves them in clear text
 */
export function formatApproval(approval: Approval, key?: string): string {
  const keyed = approval.changes.map((change) => [nameOfApproved(change), change] as const);
  const changes = keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, change]) => change);
  return hideAddresses(`${stringifyJson({ ...approval, changes } as unknown as Json, 2)}\n`, key);
}

/** Returns the digest of a file's content, as `sha256sum FILE` prints it. */
export const digestOf = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

/**
 * Writes an approval file atomically, and returns the file's digest. Without a key that encrypts e-mail addresses, refuses to
 * write a file with addresses, because other people read the file.
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

/** Reads an approval file whose changes a comment will show. @throws DiagnosticError `approval_invalid` */
export async function readForComment(file: string, terminal: Pick<Terminal, "env" | "folder" | "readInput">) {
  const { bytes, name } = await readNamed(file, "approval_invalid", terminal);
  const approval = parseApproval(bytes, name, fileKey(terminal.env));
  return { digest: digestOf(bytes), approval, text: bytes.toString("utf8") };
}

/**
 * Reads a file that `writeApproval` wrote.
 *
 * @param digest the digest that people approved, in hexadecimal
 * @throws DiagnosticError `approval_invalid`; `approval_differs` if the file has another digest
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
 * Reads the text of an approval. Accepts only the exact text that `formatApproval` writes. In any other text, people and
 * programs could read different changes, for example if a key occurs twice.
 *
 * @param key the key that decrypts e-mail addresses
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

/**
 * Returns the reason why a text can't be read as an approval file: another release wrote the file, or the text is not an
 * approval.
 */
function whyUnreadable(text: string, name: string): string {
  const [, version] = /^\{\s*"format_version": ?"(\d+\.\d+)",\s*"commit":/.exec(text) ?? [];
  return version === undefined || version === FORMAT_VERSION
    ? `${name} is not an approval file that \`steward plan --out-approval\` wrote.`
    : `${name} has the file format ${version}, but this release of Steward reads only ${FORMAT_VERSION}.`;
}

/**
 * Reads the copy of an approval file in a comment. E-mail addresses and sensitive values are hidden in the copy. Returns
 * undefined for a text that is not a copy of an approval file.
 */
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
