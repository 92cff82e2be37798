import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { fail } from "../../diagnostics";
import { isDeeperThan, JsonSyntaxError, parseJson, stringifyJson } from "../../json";
import { objectName } from "../../language";
import { isJsonObject, type Json } from "../../state";
import { type ChangeJson, type PlanFile, planFileBody } from "./schema";

/** The version of the file format. */
export const FORMAT_VERSION = 3;

/** The maximum nesting of JSON in the file. No resource has values that deep, and the call stack allows much more. */
const MAX_DEPTH = 200;

const checksum = (version: number, steward: string, body: string): string =>
  createHash("sha256").update(`${version}\n${steward}\n${body}`).digest("hex");

/**
 * Formats plans as two lines of JSON. The first line is the header, and the second line contains the plans.
 *
 * @param name the name of the file in messages
 * @param steward the version of steward and of its provider
 * @param conceal a function that conceals texts of the plans
 * @throws DiagnosticError `saved_plan_not_written` if a value is nested too deeply
 */
export function formatPlanFile(
  file: PlanFile,
  name: string,
  steward: string,
  conceal: TextChange = unchanged,
): string {
  const body = conceal(stringifyJson(file));
  if (isDeeperThan(body, MAX_DEPTH)) tooDeep(name);
  const header = {
    steward_plan: FORMAT_VERSION,
    steward,
    sha256: checksum(FORMAT_VERSION, steward, body),
  };
  return `${JSON.stringify(header)}\n${body}\n`;
}

type TextChange = (text: string) => string;

const unchanged: TextChange = (text) => text;

/** Returns whether a file starts like a saved plan. */
export const isPlanFile = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 64)).toString("latin1").startsWith('{"steward_plan":');

/**
 * Parses a saved plan. The file must have the current format, and come from this version of steward. The content is not
 * trusted, so `confirmPlan` makes the plan again and compares the two plans.
 *
 * @param name the name of the file in messages
 * @param reveal a function that reveals the concealed texts of the plans
 * @throws DiagnosticError `saved_plan_invalid`, `saved_plan_version`, `saved_plan_damaged`
 */
export function parsePlanFile(
  bytes: Uint8Array,
  name: string,
  steward: string,
  reveal: TextChange = unchanged,
): PlanFile {
  if (!isPlanFile(bytes)) notAPlan(bytes, name);
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  const header = parseHeader(lines[0]!, name);
  if (header.steward_plan !== FORMAT_VERSION)
    otherVersion(name, `in format ${header.steward_plan}, but this release reads format ${FORMAT_VERSION}`);
  const [, body, end, ...more] = lines;
  if (body === undefined || end !== "" || more.length > 0)
    damaged(name, "its end is missing or has been changed");
  if (checksum(header.steward_plan, header.steward, body) !== header.sha256)
    damaged(name, "its checksum does not match");
  if (header.steward !== steward)
    otherVersion(name, `by Steward ${header.steward}, but this is Steward ${steward}`);
  const parsed = planFileBody.safeParse(parseBody(reveal(body), name), { error: z.locales.en().localeError });
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return damaged(name, `${z.core.toDotPath(path) || "its second line"}: ${message}`);
  }
  const contradiction = contradictionIn(parsed.data);
  return contradiction === undefined ? parsed.data : damaged(name, contradiction);
}

function parseBody(body: string, name: string): Json {
  if (isDeeperThan(body, MAX_DEPTH)) damaged(name, `it is nested deeper than ${MAX_DEPTH} levels`);
  return parseLine(body, ({ message }) => damaged(name, `${message}, in its second line`));
}

function parseLine(text: string, onSyntaxError: (problem: JsonSyntaxError) => never): Json {
  try {
    return parseJson(text) as Json;
  } catch (problem) {
    if (!(problem instanceof JsonSyntaxError)) throw problem;
    return onSyntaxError(problem);
  }
}

/**
 * Returns a contradiction in the file that the schema can't find; undefined if there is none. In a contradictory file, the plan
 * that people see could differ from the plan that is applied.
 */
function contradictionIn({ stacks }: PlanFile): string | undefined {
  const twice = repeated(stacks.map(({ name }) => name ?? ""));
  if (twice !== undefined) return `it contains two plans of the stack "${twice}"`;
  for (const { record, guarded } of stacks.map(({ plan }) => plan)) {
    const objects = ({ address, deposed }: ChangeJson) => objectName(address, deposed);
    const lists = {
      changes: record.changes.map(objects),
      drift: record.drift.map(objects),
      outputs: record.outputs.map(({ name }) => name),
    };
    for (const [list, names] of Object.entries(lists)) {
      const one = repeated(names);
      if (one !== undefined) return `${list} contains ${one} twice`;
    }
    const unguarded = record.sensitiveVariables.find((name) => !Object.hasOwn(guarded, name));
    if (unguarded !== undefined) return `guarded leaves out the sensitive variable "${unguarded}"`;
  }
  return undefined;
}

function repeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

function parseHeader(line: string, name: string) {
  const unreadable = () => damaged(name, "its first line can't be read");
  const json = parseLine(line, unreadable);
  const { steward_plan, steward, sha256, ...others } = isJsonObject(json) ? json : {};
  if (typeof steward_plan !== "number" || typeof steward !== "string" || typeof sha256 !== "string")
    return unreadable();
  const [unknown] = steward_plan === FORMAT_VERSION ? Object.keys(others) : [];
  if (unknown !== undefined) damaged(name, `its first line has a key "${unknown}"`);
  return { steward_plan, steward, sha256 };
}

function notAPlan(bytes: Uint8Array, name: string): never {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const what = isZip
    ? "It looks like a plan of Terraform or OpenTofu. Apply it with that program."
    : "Pass a file that this command wrote.";
  return fail({
    code: "saved_plan_invalid",
    summary: "Not a saved plan",
    detail: `${name} is not a saved plan of Steward. Nothing was sent. ${what}`,
    ...(!isZip && { action: { kind: "plan", out: "FILE" } }),
  });
}

function otherVersion(name: string, how: string): never {
  return fail({
    code: "saved_plan_version",
    summary: "Saved plan of another version",
    detail: `${name} was made ${how}. Nothing was sent. Apply it with that version, or plan again.`,
  });
}

function damaged(name: string, why: string): never {
  return fail({
    code: "saved_plan_damaged",
    summary: "Saved plan is damaged",
    detail: `${name} was damaged or edited after Steward wrote the file (${why}). Nothing was sent. Copy the complete file again, or plan again.`,
  });
}

function tooDeep(name: string): never {
  return fail({
    code: "saved_plan_not_written",
    summary: "Plan can't be saved",
    detail: `A value of the plan has more than ${MAX_DEPTH} nested levels, the maximum in a saved plan. The plan was not saved to ${name}. Apply without a saved plan, or reduce the nesting.`,
  });
}
