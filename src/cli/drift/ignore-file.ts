import path from "node:path";
import * as z from "zod/mini";
import { type Diagnostic, fail, warning } from "../../diagnostics";
import type { Attributes } from "../../engine";
import { describeFileProblem, readUserFile } from "../../files";
import { isYamlTooDeep, MAX_YAML_DEPTH } from "../../json";
import { type Finding, nameOf } from "./finding";

const entries = z.array(
  z.strictObject({
    /** An address, or type and id of an undeclared object; `*` matches any text. */
    object: z.string().check(z.minLength(1)),
    attribute: z.optional(z.string().check(z.minLength(1))),
    kind: z.optional(z.enum(["changed", "vanished", "unmanaged", "unchecked"])),
    reason: z.string().check(z.minLength(1)),
    /** The last day, in UTC, on which the entry applies. */
    expires: z.optional(z.string().check(z.iso.date())),
  }),
);

type Entry = z.infer<typeof entries>[number];

/** The findings that a drift run ignores, each with a reason and optionally an expiry date. */
export class IgnoreFile {
  readonly #file: string;
  readonly #rules: readonly { readonly entry: Entry; readonly pattern: RegExp }[];
  readonly #met = new Set<Entry>();
  /** Warns about expired entries. */
  readonly warnings: readonly Diagnostic[];

  private constructor(file: string, all: readonly Entry[], today: string) {
    this.#file = file;
    const isOver = ({ expires }: Entry) => expires !== undefined && expires < today;
    this.#rules = all
      .filter((entry) => !isOver(entry))
      .map((entry) => ({ entry, pattern: patternOf(entry.object) }));
    this.warnings = all.filter(isOver).map((entry) => expired(file, entry));
  }

  /** @throws DiagnosticError `invalid_ignore_file` */
  static read(file: string, folder: string, now = new Date()): IgnoreFile {
    const today = now.toISOString().slice(0, 10);
    return new IgnoreFile(file, parse(file, textOf(file, folder)), today);
  }

  /** Records which objects and attributes a run checked, drifted or not. */
  saw(objects: readonly { readonly name: string; readonly attributes: Attributes }[]): void {
    for (const { entry, pattern } of this.#rules) {
      const { attribute } = entry;
      const isMet = ({ name, attributes }: (typeof objects)[number]) =>
        pattern.test(name) && (attribute === undefined || attribute in attributes);
      if (!this.#met.has(entry) && objects.some(isMet)) this.#met.add(entry);
    }
  }

  /**
   * Warns about entries that match nothing in a whole run, such as misspelled ones. Undeclared objects come
   * and go, so a pattern with `kind: unmanaged` may match nothing for a while.
   */
  unmatched({ coverage }: { readonly coverage: boolean }): readonly Diagnostic[] {
    const mayComeLater = ({ kind, object }: Entry) =>
      kind === "unmanaged" ? !coverage || object.includes("*") : !coverage && object.includes(" ");
    return this.#rules
      .filter(({ entry }) => !this.#met.has(entry) && !mayComeLater(entry))
      .map(({ entry }) => matchesNothing(this.#file, entry));
  }

  /** The reason why a whole finding is ignored; undefined if it is not. */
  reasonFor(finding: Finding): string | undefined {
    return this.#rules.find(
      ({ entry, pattern }) => entry.attribute === undefined && matches(entry, pattern, finding),
    )?.entry.reason;
  }

  /** The reason why one attribute of a changed object is ignored. */
  reasonForAttribute(finding: Finding, attribute: string): string | undefined {
    return this.#rules.find(
      ({ entry, pattern }) => entry.attribute === attribute && matches(entry, pattern, finding),
    )?.entry.reason;
  }
}

const matches = ({ kind }: Entry, pattern: RegExp, finding: Finding): boolean =>
  (kind === undefined || kind === finding.kind) && pattern.test(nameOf(finding));

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split("*")
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );

function textOf(file: string, folder: string): string {
  try {
    return readUserFile(path.resolve(folder, file)).toString("utf8");
  } catch (problem) {
    return invalid(file, `can't be read (${describeFileProblem(problem)})`);
  }
}

function parse(file: string, text: string): Entry[] {
  const yaml: typeof import("yaml") = require("yaml");
  if (isYamlTooDeep(yaml, text)) return invalid(file, `is nested more than ${MAX_YAML_DEPTH} levels deep`);
  let content: unknown;
  try {
    // Dates remain texts.
    content = yaml.parse(text, { schema: "core" });
  } catch (problem) {
    return invalid(file, `is not YAML: ${(problem as Error).message}`);
  }
  const parsed = entries.safeParse(content ?? [], { error: z.locales.en().localeError });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path: [index, ...rest], message }) => {
    const where =
      typeof index === "number" ? `entry ${index + 1}${rest.length > 0 ? `, ${rest.join(".")}` : ""}: ` : "";
    return `${where}${message}`;
  });
  return invalid(file, `is not a list of entries: ${issues.join("; ")}`);
}

const invalid = (file: string, what: string): never =>
  fail({
    code: "invalid_ignore_file",
    summary: "Ignore file can't be used",
    detail:
      `${JSON.stringify(file)} ${what}. Write a YAML list whose entries have \`object\` (an address, or type and id of ` +
      "something unmanaged; * matches any text) and `reason`, and may have `attribute`, `kind` (changed, vanished, " +
      "unmanaged, unchecked) and `expires` (YYYY-MM-DD).",
  });

const matchesNothing = (file: string, { object, attribute, reason }: Entry): Diagnostic =>
  warning({
    code: "ignore_unmatched",
    summary: "Ignore entry matches nothing",
    detail:
      `${JSON.stringify(file)} ignores ${object}${attribute === undefined ? "" : `, attribute ${attribute}`} ("${reason}"), and ` +
      "this run found no such object. Correct the entry, or remove it.",
  });

const expired = (file: string, { object, expires, reason }: Entry): Diagnostic =>
  warning({
    code: "ignore_expired",
    summary: "Ignore entry has expired",
    detail:
      `${JSON.stringify(file)} ignored ${object} ("${reason}") until ${expires}. ` +
      "Fix the difference, or extend the date.",
  });
