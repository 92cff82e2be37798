import * as z from "zod/mini";
import { type Diagnostic, didYouMean, fail, nearPatternHint, warning } from "../../diagnostics";
import type { Attributes } from "../../engine";
import { defined, type HandwrittenYaml, parseHandwrittenYaml } from "../../json";
import {
  dayAfter,
  type GivenWaiver,
  MAX_WAIVER_DAYS,
  type UsedWaiver,
  type Waiver,
  Waivers,
  waiverProblem,
  waiverProblemText,
} from "../../provider";
import { type Wildcard, wildcard } from "../../text";
import { textOfNamed } from "../terminal/terminal";
import { SeenProjects } from "./seen-projects";

/** One difference that a drift run found, or an object that the run could not check. */
export interface Finding {
  readonly kind: "changed" | "vanished" | "unmanaged" | "unlisted" | "unchecked";
  /** The address of a declared object, or the type and id of an undeclared object. */
  readonly name: string;
  /** The path of the project or group of the object. */
  readonly place: string | undefined;
}

/**
 * An entry in the format that ignore files had before release 0.2.0. Releases 0.2 and 0.3 still read entries in this old
 * format.
 */
const oldEntry = z.strictObject({
  object: z.string().check(z.minLength(1)),
  attribute: z.optional(z.string().check(z.minLength(1))),
  kind: z.optional(z.enum(["changed", "vanished", "unmanaged", "unlisted", "unchecked"])),
  reason: z.string().check(z.minLength(1)),
  /** The last day, in UTC, on which this entry of an ignore file applies. */
  expires: z.optional(z.string().check(z.iso.date())),
});

type OldEntry = z.infer<typeof oldEntry>;

/**
 * Reads waivers from YAML: a list, or an object with the list `waivers` and `max_days`. A waiver may be valid for at most
 * `max_days` days.
 *
 * @throws DiagnosticError `invalid_ignore_file`
 */
export function readWaivers(file: string, folder: string, now = new Date()) {
  const yaml = parse(file, textOfNamed(file, folder, unread));
  const { entries, maxDays, path } = entriesOf(yaml.value ?? [], file);
  const old = new Map<GivenWaiver, OldEntry>();
  const problems: string[] = [];
  const report = (at: number, keys: readonly PropertyKey[], what: string) => {
    const line = yaml.lineOf([...path, at, ...keys]);
    problems.push(
      `${JSON.stringify(file)}${line === undefined ? "" : `, line ${line}`}: entry ${at + 1}${what}`,
    );
  };
  const read = entries.flatMap((given: unknown, at): GivenWaiver[] => {
    if (Object.hasOwn(Object(given), "object")) {
      const { data, error } = oldEntry.safeParse(given, { error: z.locales.en().localeError });
      for (const issue of error?.issues ?? []) report(at, issue.path, issueText(issue));
      if (data === undefined) return [];
      const waiver = converted(data);
      old.set(waiver, data);
      return [waiver];
    }
    const problem = waiverProblem(given, maxDays, now);
    if (problem === undefined) return [given as Waiver];
    report(at, problem.key === undefined ? [] : [problem.key], ` ${waiverProblemText(problem)}`);
    return [];
  });
  if (problems.length > 0) return invalid(problems);
  return {
    waivers: read,
    /** The waivers from entries in the older format. Diagnostics about these waivers have the codes of the older format. */
    old: new Set(old.keys()),
    warnings: old.size === 0 ? [] : [outdated(file, [...old.keys()], now)],
  };
}

/** Returns the entries of a file, and the path in the YAML to their list. */
function entriesOf(content: unknown, file: string) {
  if (isList(content)) return { entries: content, maxDays: MAX_WAIVER_DAYS, path: [] };
  const {
    waivers,
    max_days: maxDays = MAX_WAIVER_DAYS,
    ...others
  } = Object(content) as { readonly waivers?: unknown; readonly max_days?: unknown };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined && waivers !== undefined) {
    const hint = didYouMean(unknown, ["waivers", "max_days"], "Its keys are waivers and max_days.");
    return invalid([`${JSON.stringify(file)} has the unknown key "${unknown}". ${hint}`]);
  }
  if (!isList(waivers) || unknown !== undefined)
    return invalid([`${JSON.stringify(file)} is not a list of entries. ${FORMAT}`]);
  if (typeof maxDays !== "number" || !(maxDays >= 1))
    return invalid([
      `${JSON.stringify(file)} has an invalid value of max_days. Set max_days to a number of days.`,
    ]);
  return { entries: waivers, maxDays, path: ["waivers"] };
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const issueText = ({ path, message }: z.core.$ZodIssue): string =>
  `${path.length > 0 ? `, ${path.join(".")}` : ""}: ${message}.`;

/** Converts an old entry to a waiver. The waiver has no end date if the entry has no end date. */
const converted = ({ object, attribute, kind, reason, expires }: OldEntry): GivenWaiver => ({
  ...defined({ setting: object, attribute, kind, project: "*", reason }),
  ...(expires !== undefined && { until: dayAfter(new Date(Date.parse(expires)), 1) }),
});

function parse(file: string, text: string): HandwrittenYaml {
  try {
    return parseHandwrittenYaml(text);
  } catch (problem) {
    return unreadable(file, `can't be used: ${(problem as Error).message}`);
  }
}

const unreadable = (file: string, what: string): never => invalid([`${JSON.stringify(file)} ${what}.`]);

const unread = (file: string, what: string): never =>
  invalid([`${JSON.stringify(file)} ${what}. Check the path in --ignore, and the permissions of the file.`]);

const invalid = (problems: string[]): never =>
  fail({ code: "invalid_ignore_file", summary: "Invalid waivers", detail: problems });

const FORMAT =
  "Write a YAML list of waivers. Each waiver needs `setting` or `rule`. `setting` is an address, or the type and ID of an " +
  "unmanaged object, and * is a wildcard. `rule` is the name of a policy rule. A waiver also needs " +
  "`project` (a pattern), `reason`, `owner` and `until` (the day on which it expires, YYYY-MM-DD). A setting may have " +
  "`attribute` and `kind` (changed, vanished, unmanaged, unlisted, unchecked).";

/** Returns a waiver as lines of YAML. */
export const waiverLines = (waiver: GivenWaiver): string[] =>
  ORDER.flatMap((key) => (waiver[key] === undefined ? [] : [`${key}: ${yamlText(waiver[key])}`])).map(
    (line, at) => `${at === 0 ? "- " : "  "}${line}`,
  );

const ORDER = ["rule", "setting", "attribute", "kind", "project", "reason", "owner", "until"] as const;

const yamlText = (text: string): string =>
  /^[A-Za-z][\w ./-]*$|^\d{4}-\d\d-\d\d$/.test(text) ? text : JSON.stringify(text);

const outdated = (file: string, entries: readonly GivenWaiver[], now: Date): Diagnostic =>
  warning({
    code: "ignore_file_outdated",
    summary: "Ignore file has an older format",
    detail: [
      `${JSON.stringify(file)} contains entries in the format of releases before 0.2.0. Release 0.3 is the last release that reads this format. ` +
        `Replace the entries with these lines. In each entry, name an owner and choose an end date within ${MAX_WAIVER_DAYS} days:`,
      ...entries.flatMap((entry) =>
        waiverLines({
          ...entry,
          owner: "not named yet",
          until: entry.until ?? dayAfter(now, MAX_WAIVER_DAYS),
        }),
      ),
    ],
  });

/** The facts about a waiver: its file and its patterns, and whether it matched an object. */
interface Entry {
  readonly file: string;
  readonly isOld: boolean;
  readonly pattern: Wildcard;
  readonly projects: Wildcard;
  isMet: boolean;
}

/** An object that a run checked, or a live object without a declaration. */
interface SeenObject {
  readonly name: string;
  readonly attributes: Attributes;
  /** The full path or the number of the object's project or group; undefined if the object belongs to neither. */
  readonly place?: string | undefined;
}

/** The waivers for a drift run. The waivers decide which findings the run does not report, and why. */
export class SettingWaivers {
  readonly #waivers: Waivers;
  readonly #entries = new Map<GivenWaiver, Entry>();
  readonly #projects = new SeenProjects();
  /** The addresses that the run saw. A warning about a misspelled entry suggests one of these addresses. */
  readonly #names = new Set<string>();
  /** Warnings about waivers that have expired, and about entries in the older format. */
  readonly warnings: readonly Diagnostic[];

  /** @throws DiagnosticError `invalid_ignore_file` */
  constructor(files: readonly string[], folder: string, now = new Date()) {
    const read = files.map((file) => ({ file, ...readWaivers(file, folder, now) }));
    for (const { file, waivers, old } of read)
      for (const one of waivers) {
        const isOld = old.has(one);
        if (one.setting === undefined) continue;
        const pattern = wildcard(one.setting);
        const projects = wildcard(one.project, { ignoresCase: true });
        this.#entries.set(one, { file, isOld, pattern, projects, isMet: false });
      }
    this.#waivers = new Waivers([...this.#entries.keys()], now);
    this.warnings = [
      ...read.flatMap(({ warnings }) => warnings),
      ...this.#waivers.ended.map((one) => ended(one, this.#entries.get(one)!)),
    ];
  }

  /** Records the objects and attributes that a run checked, whether they drifted or not. */
  saw(objects: readonly SeenObject[]): void {
    for (const { name, place } of objects) {
      this.#names.add(name);
      this.#projects.see(place);
    }
    for (const waiver of this.#waivers.holding) {
      const entry = this.#entries.get(waiver)!;
      entry.isMet ||= objects.some((one) => isFor(waiver, entry, one));
    }
  }

  /** Records a project or group that a run searched. */
  searched(path: string): void {
    this.#projects.see(path);
  }

  /**
   * Returns warnings about waivers that match nothing in a run over all stacks and objects, such as misspelled waivers. People
   * create and delete undeclared objects at any time, so a pattern with `kind: unmanaged` may match nothing. A pattern with
   * `kind: unmanaged` causes a warning only if the project of the pattern does not exist.
   */
  unmatched({ coverage }: { readonly coverage: boolean }): readonly Diagnostic[] {
    const isNotSearched = ({ kind, setting = "" }: GivenWaiver) =>
      !coverage && (kind === "unmanaged" || kind === "unlisted" || setting.includes(" "));
    const canComeLater = ({ kind, setting = "" }: GivenWaiver) =>
      kind === "unmanaged" && setting.includes("*");
    return this.#waivers.holding.flatMap((one) => {
      const entry = this.#entries.get(one)!;
      if (isNotSearched(one)) return [];
      if (this.#projects.hasNone(one.project))
        return [matchesNoProject(one, entry, this.#projects.hintFor(one.project))];
      if (entry.isMet || canComeLater(one)) return [];
      return [matchesNothing(one, entry, nearPatternHint(one.setting!, this.#names))];
    });
  }

  /** Returns the waivers, each with the findings that it accepted. */
  list(): readonly UsedWaiver[] {
    return this.#waivers.list();
  }

  /** Returns the reason of the waiver for a finding, or for one attribute of the finding; undefined without a waiver. */
  reasonFor(finding: Finding, attribute?: string): string | undefined {
    const { kind, name, place } = finding;
    const isMatch = (waiver: GivenWaiver) =>
      waiver.attribute === attribute &&
      (waiver.kind === undefined || waiver.kind === kind) &&
      this.#entries.get(waiver)!.pattern.test(name);
    return this.#waivers.accept(isMatch, place, [name, attribute])?.reason;
  }
}

const named = ({ setting = "", attribute, reason }: GivenWaiver): string =>
  `${setting === "*" ? "all settings" : setting}${attribute === undefined ? "" : `, attribute ${attribute}`} ("${reason}")`;

/**
 * Returns true if a waiver matches an object, and the object has the attribute of the waiver. If the run knows only the number
 * of the project, any pattern of paths matches.
 */
const isFor = (
  { attribute }: GivenWaiver,
  { pattern, projects }: Entry,
  { name, attributes, place = "" }: SeenObject,
): boolean =>
  pattern.test(name) &&
  (attribute === undefined || attribute in attributes) &&
  (/^\d*$/.test(place) || projects.test(place));

const matchesNothing = (waiver: GivenWaiver, { file, isOld }: Entry, hint: string): Diagnostic =>
  warning({
    code: isOld ? "ignore_unmatched" : "waiver_unmatched",
    summary: isOld ? "Ignore entry matches nothing" : "Waiver matches nothing",
    detail: `${JSON.stringify(file)} ignores ${named(waiver)}, but this run found no such object${waiver.project === "*" ? "" : ` in ${waiver.project}`}.${hint} Correct or remove the entry.`,
  });

const matchesNoProject = (waiver: GivenWaiver, { file }: Entry, hint: string): Diagnostic =>
  warning({
    code: "waiver_unmatched",
    summary: "Waiver matches no project",
    detail: `${JSON.stringify(file)} ignores ${named(waiver)} in "${waiver.project}", but no project or group of this run has such a path.${hint} Correct or remove the entry.`,
  });

const ended = (waiver: GivenWaiver, { file, isOld }: Entry): Diagnostic =>
  warning({
    code: isOld ? "ignore_expired" : "waiver_ended",
    summary: isOld ? "Ignore entry has expired" : "Waiver has expired",
    detail: isOld
      ? `The entry for ${named(waiver)} in ${JSON.stringify(file)} expired on ${waiver.until}, so its differences count as drift again. Fix the differences, or set a later date.`
      : `The waiver for ${named(waiver)} in ${JSON.stringify(file)} expired on ${waiver.until}, so its differences count as drift again. Fix the differences, or set a later date.`,
  });
