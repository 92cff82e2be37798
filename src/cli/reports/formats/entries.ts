import { groupBy } from "../../../engine";
import { defined } from "../../../json";
import { atMost, counted } from "../../../text";
import type { Difference, Row } from "../../difference";
import {
  attributesOf,
  type Equal,
  equalInStacks,
  groupEqualObjects,
  nounOf,
  placesOf,
  reasonText,
  rowsIn,
} from "../../document/equal";
import type { Report, ReportAccess, ReportDiagnostic, ReportObject, ReportStack } from "../../document/model";
import { isListed } from "./summary";

/** One item in the list of a page or comment: one object, or several objects with equal changes. */
export interface Entry {
  /** The id of the HTML element that shows this entry. */
  readonly id: string;
  /** The names of the objects' stacks. Empty if the report has only one stack. */
  readonly stacks: readonly string[];
  readonly objects: Equal<ReportObject>;
}

export interface StackEntries {
  readonly stack: ReportStack;
  readonly entries: readonly Entry[];
}

/** The entries of a report. All sections of a page use this object, so that links between the sections work. */
export class Entries {
  /** The entries with objects of several stacks. The lists of the single stacks do not repeat these entries. */
  readonly several: readonly Entry[];
  readonly stacks: readonly StackEntries[];
  readonly #ids = new Map<ReportObject, string>();
  readonly #stacks: readonly ReportStack[];
  #byAddress?: ReadonlyMap<
    string,
    readonly { readonly stack: string | null; readonly object: ReportObject }[]
  >;

  /** @param causes the problems of the report. An object gets no entry if the report contains only problems of this object */
  constructor(report: Report, causes: Causes) {
    this.#stacks = report.stacks;
    let count = 0;
    const stackNames = new Map(
      report.stacks.flatMap(({ name, objects }) => objects.map((object) => [object, nameOf(name)] as const)),
    );
    const isSingle = report.stacks.length < 2;
    const entryOf = (objects: Equal<ReportObject>): Entry => {
      const id = `o${++count}`;
      for (const object of objects) this.#ids.set(object, id);
      const stacks = new Set(objects.map((object) => stackNames.get(object)!));
      return { id, objects, stacks: isSingle ? [] : [...stacks] };
    };
    const isEntry = (object: ReportObject) => isListed(object) && !causes.isTold(object);
    this.several = equalInStacks(report.stacks, isEntry).map(({ objects }) => entryOf(objects));
    this.stacks = report.stacks.map((stack) => ({
      stack,
      entries: groupEqualObjects(
        stack.objects.filter((object) => isEntry(object) && !this.#ids.has(object)),
      ).map(entryOf),
    }));
  }

  /** All entries, in the order of the page. */
  get all(): readonly Entry[] {
    return [...this.several, ...this.stacks.flatMap(({ entries }) => entries)];
  }

  /** Returns the id of the entry that contains the object. */
  idOf(object: ReportObject): string | undefined {
    return this.#ids.get(object);
  }

  /** Returns the ids of the entries whose objects cause these access changes, each with the addresses of these objects. */
  sourcesOf(access: readonly ReportAccess[]): Source[] {
    const found = new Map<string, Set<string>>();
    this.#byAddress ??= groupBy(
      this.#stacks.flatMap(({ name, objects }) => objects.map((object) => ({ stack: name, object }))),
      ({ object }) => object.address,
    );
    for (const { stack, stacks = stack === undefined ? undefined : [stack], changes = [] } of access)
      for (const address of changes)
        for (const one of this.#byAddress.get(address) ?? []) {
          const id = this.idOf(one.object);
          if (id === undefined || (stacks && one.stack !== null && !stacks.includes(one.stack))) continue;
          found.set(id, (found.get(id) ?? new Set()).add(address));
        }
    return [...found].map(([id, addresses]) => ({ id, addresses: [...addresses] }));
  }
}

/** The id of an entry that causes an access change, and the addresses of the entry's objects that cause this change. */
interface Source {
  readonly id: string;
  readonly addresses: readonly string[];
}

/** Returns the text of a link to an entry that causes an access change. */
export const sourceName = ({ addresses }: Source): string =>
  addresses.length === 1 ? addresses[0]! : counted(addresses.length, "object");

/** The maximum number of links from an access change to its causes. */
export const MAX_SOURCES = 10;

/** Returns the name of a stack, or `configuration` for a configuration without a name. */
export const nameOf = (name: string | null): string => name ?? "configuration";

/** Returns a name of an object for people, such as `acme/web · environment production`. */
export function titleOf({ address, type, name = "", project, group }: ReportObject): string {
  const container = project ?? group;
  return container === undefined ? address : `${container} · ${nounOf(type)} ${name}`.trimEnd();
}

/** Returns the name of equal objects, such as `environment production in 12 projects`. */
export function titleOfMany(objects: Equal<ReportObject>, stacks: number): string {
  const { heading } = placesOf(objects, stacks);
  return heading.startsWith("in ") ? `${nounOf(objects[0].type)} ${heading}` : heading;
}

/** The cause of one or several diagnostics, such as a token that the service refuses, and all affected objects. */
export interface Cause {
  /** The position of the cause in the report, counted from 0. The HTML report uses this position in links. */
  readonly index: number;
  /**
   * The first diagnostic with this cause. The diagnostics of the other affected objects can have different details, such as a
   * different request.
   */
  readonly diagnostic: ReportDiagnostic;
  /** The affected objects, by the name of their stack. */
  readonly stacks: Map<string, ReportObject[]>;
  readonly objects: ReportObject[];
}

/** Groups the errors and warnings of a report by cause, because every format shows each cause only once. */
export class Causes {
  readonly #causes = new Map<string, Cause>();

  constructor(report: Report) {
    for (const { name, diagnostics, objects } of report.stacks) {
      const add = (diagnostic: ReportDiagnostic, object?: ReportObject) => {
        const { stacks, objects: all } = this.of(diagnostic);
        if (name !== null && !stacks.has(name)) stacks.set(name, []);
        if (object === undefined) return;
        all.push(object);
        if (name !== null) stacks.get(name)!.push(object);
      };
      for (const one of diagnostics) add(one);
      for (const object of objects) for (const one of object.diagnostics) add(one, object);
    }
  }

  /** All causes: first the errors, then the warnings. */
  get all(): Cause[] {
    const causes = [...this.#causes.values()];
    const ofSeverity = (severity: string) =>
      causes.filter(({ diagnostic }) => diagnostic.severity === severity);
    return [...ofSeverity("error"), ...ofSeverity("warning")];
  }

  of(diagnostic: ReportDiagnostic): Cause {
    const { cause, severity, code, summary, detail } = diagnostic;
    const key = cause ?? JSON.stringify([severity, code, summary, detail]);
    const known = this.#causes.get(key);
    if (known !== undefined) return known;
    const first = { index: this.#causes.size, diagnostic, stacks: new Map(), objects: [] };
    this.#causes.set(key, first);
    return first;
  }

  /**
   * Returns true if the report knows nothing about an object except problems that other objects have too. An object without its
   * own facts needs no entry.
   */
  isTold({ diagnostics, attributes, status, action = "no-op" }: ReportObject): boolean {
    return (
      status === "failed" &&
      action === "no-op" &&
      attributes.length === 0 &&
      diagnostics.length > 0 &&
      diagnostics.every((diagnostic) => this.of(diagnostic).objects.length > 1)
    );
  }
}

/** A fact about an object, or a fact that equal objects share. */
export interface Fact {
  readonly name: string;
  readonly text: string;
  /** The web page to which the text links, if the text names a project or group. */
  readonly url?: string | undefined;
  /** Whether the text is a sentence. Otherwise, the text is a name or a command. */
  readonly isSentence?: boolean;
}

/**
 * Returns the facts about objects besides their differences. These are the reasons for the change, the project or group, the line
 * of code, and commands that users can copy.
 */
export function factsOf(objects: Equal<ReportObject>): Fact[] {
  const [{ url, file, line, commands, ...first }, ...others] = objects;
  const sentences = {
    why: reasonText(objects),
    "not repaired": first.not_repaired,
    "live values not known": first.live_not_known,
    note: first.stays_on_service && "the settings stay unchanged on the service",
  };
  const places = { project: first.project, group: first.group };
  const names = {
    "moved from": first.previous_address,
    "left over from a replacement": first.deposed,
    "imported from": first.import_id,
    id: first.id,
    construct: first.construct,
    "declared in": file && `${file}:${line}`,
    ...commands,
  };
  const factsIn = (texts: Readonly<Record<string, string | undefined>>, more: Partial<Fact>) =>
    Object.entries(defined(texts)).map(([name, text]): Fact => ({ name, text: text!, ...more }));
  return [
    ...factsIn(sentences, { isSentence: true }),
    ...(others.length > 0 ? [] : [...factsIn(places, { url }), ...factsIn(names, {})]),
  ];
}

/** Returns the differences of an object, or the shared differences of equal objects. */
export const rowsOfEntry = (objects: Equal<ReportObject>): readonly Row[] =>
  rowsIn(objects.length === 1 ? objects[0] : { ...objects[0], attributes: attributesOf(objects) });

/** The label of a change: a CSS class, a sign, an emoji and a word. The filters of a page use the word. */
export interface Label {
  readonly kind: "create" | "update" | "delete" | "replace" | "other" | "unknown";
  readonly sign: string;
  readonly emoji?: string;
  readonly word: string;
}

export const ACTIONS: Readonly<Record<NonNullable<ReportObject["action"]>, Label>> = {
  create: { kind: "create", sign: "+", emoji: "➕", word: "add" },
  update: { kind: "update", sign: "~", emoji: "✏️", word: "change" },
  delete: { kind: "delete", sign: "−", emoji: "➖", word: "destroy" },
  replace: { kind: "replace", sign: "±", emoji: "♻️", word: "replace" },
  import: { kind: "create", sign: "↓", emoji: "📥", word: "import" },
  move: { kind: "other", sign: "→", emoji: "➡️", word: "move" },
  forget: { kind: "other", sign: "×", emoji: "✂️", word: "forget" },
  read: { kind: "other", sign: "?", emoji: "🔎", word: "read" },
  "no-op": { kind: "other", sign: "=", word: "unchanged" },
};

export const STATUSES: Readonly<Partial<Record<ReportObject["status"], Label>>> = {
  changed: { kind: "update", sign: "~", emoji: "✏️", word: "changed" },
  vanished: { kind: "delete", sign: "−", emoji: "➖", word: "vanished" },
  unmanaged: { kind: "other", sign: "?", emoji: "❔", word: "unmanaged" },
};

/** The maximum number of values in a closed row, and the maximum number of characters of each value. */
const MAX_VALUES = 2;
const MAX_LENGTH = 90;

/**
 * The attributes that only identify an object. A closed row does not show these attributes, because the title of the row
 * contains them.
 */
const IDENTITY: ReadonlySet<string> = new Set(["id", "project", "group", "name"]);

/**
 * Returns the values that a closed row shows, such as `required_approvals 2 → 1`: at most two values, and the number of omitted
 * values. Returns an empty list if only the object's identity differs.
 */
export function decidingValues(objects: Equal<ReportObject>): readonly string[] {
  const attributes = objects.length === 1 ? objects[0].attributes : attributesOf(objects);
  const values = attributes
    .filter(({ name }) => !IDENTITY.has(name))
    .flatMap(({ name, difference }) => valuesIn(name, difference));
  return atMost(values, MAX_VALUES);
}

/**
 * Returns a text for each value that differs within an attribute. The text about a nested field begins with the name of the
 * field.
 */
function valuesIn(name: string, difference: Difference): string[] {
  if (difference.mark === " " && (difference.kind === "leaf" || difference.kind === "hidden")) return [];
  switch (difference.kind) {
    case "leaf": {
      const { mark, before, after } = difference;
      if (mark === "~") return [shortened(`${name} ${before} → ${after}`)];
      return [shortened(mark === "-" ? `${name} − ${before}` : `${name} + ${after}`)];
    }
    case "fields":
      return difference.fields.flatMap((field) => valuesIn(field.name, field.difference));
    case "elements":
      return difference.elements.flatMap((element) => valuesIn(name, element));
    case "hidden":
      return [`${name} (sensitive)`];
    default:
      return [`${name} changes`];
  }
}

const shortened = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
