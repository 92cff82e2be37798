import type { ErrorCode } from "../../diagnostics";
import type { IsOwn } from "../../files";
import { parseJson } from "../../json";

/** The kinds of content that commands write into output files. The command line names these output files. */
export type OutputKind =
  | "plan"
  | "approval"
  | "verdicts"
  | "report"
  | "history"
  | "imports"
  | "moves"
  | "snapshot";

interface Kind {
  /** The option that names the output file. */
  readonly option: string;
  readonly code: ErrorCode;
  readonly summary: string;
  /**
   * The error for an existing file that Steward did not write. Without this field, the error has `code` and `summary` of the
   * kind.
   */
  readonly occupied?: { readonly code: ErrorCode; readonly summary: string };
  /** The command that writes the output file. */
  readonly command: string;
  /**
   * Returns true if Steward may replace the file, because this release or an earlier release wrote the file. The result depends
   * only on the content, never on the name. A report may replace a report of any command and format.
   */
  readonly isOwn: IsOwn;
}

const text = (head: Buffer): string =>
  head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r\n/g, "\n");

const matches =
  (...patterns: readonly RegExp[]): IsOwn =>
  (head) => {
    const start = text(head);
    return patterns.some((pattern) => pattern.test(start));
  };

/** Matches the start of an HTML page of Steward, up to its title. */
const PAGE = String.raw`^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; [^"]*">\n[^]*?\n<title>`;

const REPORT_COMMANDS = "(?:plan|apply|destroy|drift)";

const REPORTS = [
  new RegExp(`^<!-- steward ${REPORT_COMMANDS} -->\n`),
  new RegExp(`${PAGE}Steward ${REPORT_COMMANDS}\\b`),
  new RegExp(`^<\\?xml version="1\\.0" encoding="UTF-8"\\?>\n<testsuites name="steward ${REPORT_COMMANDS}"`),
  /^\{\s*"format_version": ?"\d+\.\d+",\s*"steward_version": ?"/,
  // The counts for the plan widget. No field shows that Steward wrote the file, so the pattern matches the whole text.
  /^\{"create":\d+,"update":\d+,"delete":\d+(?:,"waivers":\{[^{}]*\})?\}\n$/,
];

/** Returns a function that recognizes a file that has only blocks of one kind, with only these attributes. */
function blocks(name: "import" | "moved", attributes: readonly string[]): IsOwn {
  const hcl = new RegExp(`^(?:\n*${name} \\{\n(?:  (?:${attributes.join("|")})\\s*= [^\n]*\n)+\\}\n)+$`);
  return (_, whole) => {
    const content = text(whole());
    return content.startsWith("{") ? isJsonOf(content, name, attributes) : hcl.test(content);
  };
}

function isJsonOf(content: string, name: string, attributes: readonly string[]): boolean {
  try {
    const found = parseJson(content) as Readonly<Record<string, unknown>>;
    const list = found[name];
    const isBlock = (one: unknown) => Object.keys(Object(one)).every((key) => attributes.includes(key));
    return Object.keys(found).length === 1 && Array.isArray(list) && list.every(isBlock);
  } catch {
    return false;
  }
}

/**
 * Returns a function that checks a written file of blocks. The function throws if the next run would not recognize the file as
 * a file of Steward.
 */
export function readBlocks(kind: "imports" | "moves") {
  return (content: Buffer): void => {
    if (!OUTPUT_KINDS[kind].isOwn(content, () => content)) throw new Error("it holds other blocks");
  };
}

export const OUTPUT_KINDS: Readonly<Record<OutputKind, Kind>> = {
  plan: {
    option: "--out",
    code: "saved_plan_not_written",
    summary: "Plan can't be saved",
    command: "steward plan --out",
    isOwn: matches(/^\{"steward_plan":/),
  },
  approval: {
    option: "--out-approval",
    code: "approval_not_written",
    summary: "Approval can't be written",
    command: "steward plan --out-approval",
    isOwn: matches(/^\{\s*"format_version": ?"\d+\.\d+",\s*"commit": ?(?:null|"[^"]*"),\s*"policies": ?/),
  },
  verdicts: {
    option: "--out",
    code: "approval_not_written",
    summary: "Verdicts can't be written",
    command: "steward ci judge",
    isOwn: matches(/^\{\s*"format_version": ?"1\.0",\s*"verdicts": ?\[/),
  },
  report: {
    option: "--report",
    code: "report_unwritable",
    summary: "Report can't be written",
    command: "--report",
    isOwn: matches(...REPORTS),
  },
  history: {
    option: "--out",
    code: "report_unwritable",
    summary: "Report can't be written",
    command: "steward history",
    isOwn: matches(new RegExp(`${PAGE}Drift history\\b`)),
  },
  imports: {
    option: "--write-imports",
    code: "imports_not_written",
    summary: "Blocks can't be written",
    command: "steward plan --write-imports",
    isOwn: blocks("import", ["to", "id"]),
  },
  moves: {
    option: "--write-moves",
    code: "imports_not_written",
    summary: "Blocks can't be written",
    command: "steward plan --write-moves",
    isOwn: blocks("moved", ["from", "to"]),
  },
  snapshot: {
    option: "--out",
    code: "snapshot_unwritable",
    summary: "Snapshot can't be written",
    occupied: { code: "snapshot_not_replaced", summary: "File is not a snapshot" },
    command: "steward snapshot",
    isOwn: matches(/^# Written by `steward snapshot`\./),
  },
};
