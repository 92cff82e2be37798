import { createHash } from "node:crypto";
import { counted, oneLine } from "../../text";
import { diffOf } from "../document/equal";
import type { ReportObject } from "../document/model";
import { driftCommands, ignoreEntry } from "../findings/manage-commands";
import { code, fence, linked, STRICTNESS_LABELS } from "../reports/formats/markdown-text";
import { printableLines } from "../reports/safe-report";
import type { CiRun } from "../terminal/ci-run";

/** A drifted object of a run. */
export interface Drifted {
  readonly stack: string | null;
  readonly object: ReportObject;
}

/**
 * The way in which a run found a drifted object: `drift` means that the run compared the object with the state. `coverage`
 * means that the run searched the object's project or group.
 */
export type Way = { readonly kind: "drift" } | { readonly kind: "coverage"; readonly container: string };

/** The part of an issue's text that describes one object. Later runs read this part from the issue. */
export interface Section {
  /** A hash that identifies the object within the app. */
  readonly object: string;
  readonly way: Way;
  /** The fingerprint of the object's difference. */
  readonly print: string;
  readonly text: string;
}

/** The text of an issue that a run wrote. */
export interface IssueText {
  /** A hash that identifies the app, and the project or stack of the issue. */
  readonly key: string;
  /**
   * The start time of the run that wrote the text, in milliseconds since 1970. 0 if an earlier release wrote the text, or if a
   * person changed the text.
   */
  readonly time: number;
  /** The lines of the issue before its first section. */
  readonly head: string;
  readonly sections: readonly Section[];
}

export const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

const MARKER = /^<!-- steward drift ([0-9a-f]{64}) (?:[0-9a-f]{64}|at (\S+?)(?: as ([0-9a-f]{64}))?) -->\n/;
const SECTION = /^<!-- steward object ([0-9a-f]{64}) ([0-9a-f]{64}) (?:drift|coverage ([a-z]+ \d+)) -->$/m;

/**
 * Reads the text of an issue. Returns undefined if the text does not begin with Steward's marker. If a person changed the text,
 * the result has no sections.
 */
export function readIssue(description: string): IssueText | undefined {
  const text = description.replaceAll("\r\n", "\n");
  const [marker, key, time, digest] = MARKER.exec(text) ?? [];
  if (marker === undefined) return undefined;
  const rest = text.slice(marker.length);
  if (digest !== digestOf(key!, time ?? "", rest)) return { key: key!, time: 0, head: "", sections: [] };
  // `split` returns four parts for each section: object, fingerprint, container and text.
  const [head = "", ...parts] = rest.split(SECTION);
  const sections: Section[] = [];
  for (let at = 0; at < parts.length; at += 4) {
    const [object, print, container, body] = parts.slice(at, at + 4);
    const way: Way = container === undefined ? { kind: "drift" } : { kind: "coverage", container };
    sections.push({ object: object!, print: print!, way, text: body!.trim() });
  }
  return { key: key!, time: Date.parse(time ?? "") || 0, head: head.trim(), sections };
}

/**
 * Returns a digest that shows a later run whether a person changed the text. The digest ignores whitespace at the ends,
 * because the platform may trim texts.
 */
const digestOf = (key: string, time: string, rest: string): string => hash(`${key}\n${time}\n${rest.trim()}`);

/**
 * The maximum number of bytes of all sections. With this limit, the whole description stays below the platform's limit of a
 * million characters.
 */
const MAX_SECTIONS = 600_000;

/** Returns the text of an issue, in the form that `readIssue` reads. */
export function writeIssue({ key, time, head, sections }: IssueText): string {
  let length = 0;
  let left = 0;
  const parts = sections.map(({ object, way, print, text }) => {
    length += Buffer.byteLength(text);
    const isCut = length > MAX_SECTIONS;
    if (isCut) left++;
    const found = way.kind === "drift" ? "drift" : `coverage ${way.container}`;
    return `\n<!-- steward object ${object} ${print} ${found} -->\n${isCut ? "" : `${text}\n`}`;
  });
  const more = left === 0 ? "" : `\n${left} more: too many for an issue. The JSON report has all of them.\n`;
  const at = new Date(time).toISOString();
  const rest = `${head}\n${parts.join("")}${more}`;
  return `<!-- steward drift ${key} at ${at} as ${digestOf(key, at, rest)} -->\n${rest}`;
}

/** Returns the lines at the top of an issue. */
export function headOf(
  subject: string,
  objects: readonly Drifted[],
  mentioned: readonly string[],
  { pipeline }: CiRun,
): string {
  const url = objects.find(({ object }) => object.url !== undefined)?.object.url;
  return printableLines(
    [
      `Settings of ${linked(subject, url)} changed outside of the code (applied → live).`,
      ...(mentioned.length > 0 ? ["", `Owners: ${mentioned.join(" ")}`] : []),
      ...(pipeline === undefined ? [] : ["", `Found by ${pipeline}`]),
    ].join("\n"),
  );
}

const TITLE = 250;

export const titleOf = (subject: string, count: number): string =>
  `Drift in ${oneLine(subject)}: ${counted(count, "object")}`.slice(0, TITLE);

/**
 * Returns a hash that identifies an object of an app. The hash of an undeclared object contains no stack, because no stack
 * declares it.
 */
export const objectKey = (app: string, { stack, object }: Drifted): string =>
  hash(`${app}\n${keyWithin(stack, object)}`);

const keyWithin = (stack: string | null, object: ReportObject): string =>
  object.status === "unmanaged"
    ? `unmanaged\n${object.address}`
    : `${stack ?? ""}\n${object.address}\n${object.deposed ?? ""}`;

/** Returns the section of an issue about one object. */
export function sectionOf(app: string, drifted: Drifted): Section {
  const { object } = drifted;
  const print = hash(object.fingerprint ?? `${object.status} ${object.address} ${diffOf(object)}`);
  const way: Way =
    object.status === "unmanaged" && object.container !== undefined
      ? { kind: "coverage", container: object.container }
      : { kind: "drift" };
  return { object: objectKey(app, drifted), way, print, text: printableLines(describeOne(drifted)) };
}

function describeOne({ stack, object }: Drifted): string {
  const { address, status, known, strictness, commands } = object;
  const diff = diffOf(object);
  const { repair, accept, ignore } =
    status === "unmanaged"
      ? { repair: undefined, accept: undefined, ignore: ignoreEntry(address, object.project ?? object.group) }
      : driftCommands(object, status === "vanished" ? "vanished" : "changed", stack ?? undefined);
  const toPaste = [
    ...(repair === undefined ? [] : ["# repair: restores the applied values", repair]),
    ...(accept === undefined
      ? []
      : ["# accept: write the live value into the code, and apply it when it is merged", accept]),
    ...[commands?.import, commands?.adopt].filter((one) => one !== undefined),
  ];
  return [
    `### ${code(address)}: ${known === true ? "known from an earlier run" : status}${strictness === undefined ? "" : `, ${STRICTNESS_LABELS[strictness]}`}`,
    ...(diff === "" ? [] : ["", `${fence(diff)}diff`, diff, fence(diff)]),
    "",
    "```sh",
    ...toPaste,
    "```",
    "",
    "```yaml",
    "# ignore: an entry of the file of --ignore",
    ignore,
    "```",
  ].join("\n");
}
