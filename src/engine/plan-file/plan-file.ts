import { createHash } from "node:crypto";
import { fail } from "../../diagnostics";
import type { Json, JsonObject } from "../state/model";
import type { SavedPlan } from "./saved-plan";

/** The version of the file's format. */
const FORMAT_VERSION = 1;

/** The plans of one command. */
export interface PlanFile {
  /** What the command has to know again; its own business. */
  readonly command: JsonObject;
  readonly stacks: readonly { readonly name?: string; readonly plan: SavedPlan }[];
}

interface Header {
  readonly steward_plan: number;
  readonly steward: string;
  readonly sha256: string;
}

const checksum = (version: number, steward: string, body: string): string =>
  createHash("sha256").update(`${version}\n${steward}\n${body}`).digest("hex");

/**
 * Two lines of JSON: a header, and the plans.
 *
 * @param steward the version of steward, and so of its provider
 */
export function formatPlanFile(file: PlanFile, steward: string): string {
  const body = JSON.stringify(file);
  const header: Header = {
    steward_plan: FORMAT_VERSION,
    steward,
    sha256: checksum(FORMAT_VERSION, steward, body),
  };
  return `${JSON.stringify(header)}\n${body}\n`;
}

/** Whether a file begins as a saved plan does. */
export const isPlanFile = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 64)).toString("latin1").startsWith('{"steward_plan":');

/**
 * Reads a saved plan, if this version of steward made it and not a bit of it has changed.
 *
 * @param name how errors name the file
 * @throws DiagnosticError `saved_plan_invalid`, `saved_plan_version`, `saved_plan_damaged`
 */
export function parsePlanFile(bytes: Uint8Array, name: string, steward: string): PlanFile {
  if (!isPlanFile(bytes)) notAPlan(bytes, name);
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  const header = parseHeader(lines[0]!, name);
  if (header.steward_plan > FORMAT_VERSION)
    otherVersion(name, `in format ${header.steward_plan}, and this release reads format ${FORMAT_VERSION}`);
  const [, body, end, ...more] = lines;
  if (body === undefined || end !== "" || more.length > 0) damaged(name, "it does not end where it should");
  if (checksum(header.steward_plan, header.steward, body) !== header.sha256)
    damaged(name, "its checksum does not fit");
  if (header.steward !== steward)
    otherVersion(name, `by steward ${header.steward}, and this is steward ${steward}`);
  return reading(name, () => JSON.parse(body) as PlanFile);
}

/** Does something with what a file holds; what doesn't fit together there is damage, and no fault of steward. */
export function reading<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (problem) {
    if (!(problem instanceof TypeError || problem instanceof SyntaxError || problem instanceof RangeError))
      throw problem;
    return damaged(name, "its parts do not fit together");
  }
}

function parseHeader(line: string, name: string): Header {
  let json: Json;
  try {
    json = JSON.parse(line) as Json;
  } catch {
    return damaged(name, "its first line can't be read");
  }
  const { steward_plan, steward, sha256 } = json as JsonObject;
  if (typeof steward_plan !== "number" || typeof steward !== "string" || typeof sha256 !== "string")
    return damaged(name, "its first line can't be read");
  return { steward_plan, steward, sha256 };
}

function notAPlan(bytes: Uint8Array, name: string): never {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const what = isZip
    ? "It looks like a plan of Terraform or OpenTofu: apply it with the program that made it."
    : "Name a file that `steward plan --out FILE` wrote.";
  return fail({
    code: "saved_plan_invalid",
    summary: "Not a saved plan",
    detail: `${name} holds no plan of steward. Nothing was sent. ${what}`,
  });
}

function otherVersion(name: string, how: string): never {
  return fail({
    code: "saved_plan_version",
    summary: "Saved plan of another version",
    detail: `${name} was made ${how}. Nothing was sent. Apply it with the version that made it, or plan again.`,
  });
}

function damaged(name: string, why: string): never {
  return fail({
    code: "saved_plan_damaged",
    summary: "Saved plan is damaged",
    detail: `${name} is not as it was written: ${why}. Nothing was sent. Plan again, and copy the file whole.`,
  });
}
