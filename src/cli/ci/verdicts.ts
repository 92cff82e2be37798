import * as z from "zod/mini";
import { fail } from "../../diagnostics";
import { canonicalJson, type Json, type Value } from "../../engine";
import { parseHandwrittenJson, stringifyJson } from "../../json";
import { atMost } from "../../text";
import { type Approval, nameOfApproved } from "../approval/file";
import { writeOutput } from "../outputs/write-output";
import { emailMask } from "../reports/safe-report";
import { readNamed, type Terminal } from "../terminal/terminal";

const verdict = z.strictObject({
  /** The number of the merge request. */
  request: z.int(),
  /** The head commit of the merge request. */
  commit: z.string(),
  /** The digest of the request's approval file. */
  digest: z.string(),
  /** The hash of the policies of the target branch; null without policies. */
  policies: z.nullable(z.string()),
  /** The day of the judgement, such as `2026-11-29`. On the next day, Steward judges the file again, because waivers expire. */
  day: z.string(),
  /** The differences between the approval file and the plan of the judging job. Empty without differences. */
  problems: z.readonly(z.array(z.string())),
});
/** The verdict on one approval file, by the policies of the target branch. */
export type Verdict = z.infer<typeof verdict>;

const verdictsFile = z.strictObject({ format_version: z.literal("1.0"), verdicts: z.array(verdict) });

const parseVerdicts = (bytes: Buffer): Verdict[] =>
  verdictsFile.parse(parseHandwrittenJson(bytes.toString("utf8"))).verdicts;

/** Reads the file that `ci judge` wrote. @throws DiagnosticError `approval_invalid` */
export async function readVerdicts(file: string, terminal: Terminal): Promise<readonly Verdict[]> {
  const { bytes, name } = await readNamed(file, "approval_invalid", terminal);
  try {
    return parseVerdicts(bytes);
  } catch {
    return fail({
      code: "approval_invalid",
      summary: "Not a file of verdicts",
      detail: `${name} is not a file that \`steward ci judge\` wrote. No comment was written. Pass the file of the job that judges the requests.`,
    });
  }
}

/**
 * Writes the verdicts of all open requests. The file contains no e-mail addresses and no values of settings, so anybody may read
 * it.
 */
export const writeVerdicts = (
  file: string,
  verdicts: readonly Verdict[],
  terminal: Terminal,
): Promise<void> =>
  writeOutput(
    {
      kind: "verdicts",
      file,
      text: `${stringifyJson({ format_version: "1.0", verdicts } as unknown as Json, 2)}\n`,
      reader: parseVerdicts,
      audience: "anyone",
    },
    terminal,
  );

/** The maximum number of differences in a verdict. */
const MAX_PROBLEMS = 20;
const MAX_VALUE = 300;

/**
 * Lists the differences between the approval file of a request and the approval that the judging job made for the same commit.
 * Ignores the reasons of failed stacks, because these reasons contain paths of the machine.
 */
export function differencesOfApprovals(given: Approval, judged: Approval): string[] {
  const mask = emailMask();
  const facts = ({ changes: _, unplanned, ...rest }: Approval): Readonly<Record<string, unknown>> => ({
    ...rest,
    "stacks without a plan": (unplanned ?? []).map(({ stack }) => stack).sort(),
  });
  const [one, other] = [facts(given), facts(judged)];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const ofFacts = names.flatMap((name) => {
    const [then, now] = [textOf(one[name]), textOf(other[name])];
    return then === now ? [] : [`${name}: ${shortened(then)} in the file, but ${shortened(now)} is right`];
  });
  const [known, found] = [changesOf(given), changesOf(judged)];
  const ofChanges = [...new Set([...known.keys(), ...found.keys()])].sort().flatMap((name) => {
    if (known.get(name) === found.get(name)) return [];
    if (!found.has(name)) return [`${name}: only in the file`];
    return [known.has(name) ? `${name}: differs from the plan` : `${name}: not in the file`];
  });
  return atMost([...ofFacts, ...ofChanges], MAX_PROBLEMS).map(mask);
}

const textOf = (value: unknown): string =>
  value === undefined ? "none" : canonicalJson(value as unknown as Value);

const changesOf = ({ changes }: Approval): ReadonlyMap<string, string> =>
  new Map(changes.map((change) => [nameOfApproved(change), textOf(change)]));

const shortened = (text: string): string =>
  text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}… (shortened)`;
