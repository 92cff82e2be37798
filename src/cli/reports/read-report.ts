import * as z from "zod/mini";
import { UNKNOWN, type Value } from "../../engine";
import { JsonSyntaxError, parseJson } from "../../json";
import { compare, type Difference, NO_CONTEXT, withoutNulls } from "../difference";
import { reportedValue } from "../document/describe";
import { FORMAT_VERSION, type Report, type ReportAttribute, reportSchema } from "../document/model";
import { attributeSchema, objectSchema } from "../document/object-schema";

/**
 * The fields that the history reads, for reports of every version of the format. Fields that a later version added are optional.
 * All other fields are ignored.
 */
const readable = z.extend(
  z.pick(reportSchema, {
    command: true,
    started_at: true,
    result: true,
    run: true,
    limited_to: true,
    coverage: true,
  }),
  {
    stacks: z.array(
      z.object({
        name: z.nullable(z.string()),
        objects: z.array(
          z.extend(
            z.pick(objectSchema, {
              address: true,
              type: true,
              project: true,
              group: true,
              url: true,
              container: true,
              fingerprint: true,
              known: true,
              repaired: true,
            }),
            {
              status: z.string(),
              attributes: z.array(z.pick(attributeSchema, { name: true, difference: true })),
            },
          ),
        ),
        ignored: z.optional(z.array(z.object({ object: z.string() }))),
        known_fingerprints: z.optional(z.array(z.string())),
      }),
    ),
  },
);

type Readable = z.infer<typeof readable>;

/** A report as the history reads it, of any version of the format. */
export interface ReadReport extends Omit<Readable, "started_at"> {
  /** The start of the run, in milliseconds since 1970. */
  readonly time: number;
  /**
   * Whether the report says which objects the run left out (since format 1.4). A report in an earlier format can lack an object
   * that still exists.
   */
  readonly hasScope: boolean;
}

export type ReadObject = Readable["stacks"][number]["objects"][number];

/** The error if a file is not a report, or is damaged. The message is a clause, such as `it is not a report of steward`. */
export class UnusableReport extends Error {
  override readonly name = "UnusableReport";
}

const VERSION = /^(\d{1,9})\.(\d{1,9})$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Reads the parts of a report that the history needs. @throws UnusableReport */
export function readReport(text: string): ReadReport {
  const { json, minor } = versioned(text);
  const { started_at: started, ...report } = checked(readable, minor < 7 ? withDefaults(json, minor) : json);
  return { ...report, time: timeOf(started, "started_at"), hasScope: minor >= 4 };
}

const OWN_MINOR = Number(VERSION.exec(FORMAT_VERSION)![2]);

/**
 * Reads all parts of a report.
 *
 * @throws UnusableReport for an invalid report, and for a report of a later release, because this release could lose parts of it
 */
export function readWholeReport(text: string): Report {
  const { json, minor } = versioned(text);
  if (minor > OWN_MINOR)
    throw new UnusableReport(
      `its format version is later than ${FORMAT_VERSION}: use the release that wrote it`,
    );
  const report = checked(reportSchema, withDefaults(json, minor));
  timeOf(report.started_at, "started_at");
  timeOf(report.finished_at, "finished_at");
  return report;
}

/** The default values for fields of a stack that are missing in earlier versions of the format. */
export const STACK_DEFAULTS = {
  outputs: [],
  unchecked: 0,
  ignored: [],
  known: 0,
  known_fingerprints: [],
  diagnostics: [],
};

/**
 * Converts a report of an earlier version of the format. Adds missing lists, converts differences to trees (since version 1.7),
 * and encodes the values of attributes (since version 1.10).
 */
const withDefaults = (json: { readonly stacks: readonly unknown[] }, minor: number): unknown => ({
  ...json,
  stacks: json.stacks.map((stack) => {
    const { objects, outside, ...facts } = Object(stack) as Readonly<Record<"objects" | "outside", unknown>>;
    const converted = (list: unknown) =>
      Array.isArray(list) ? list.map((one) => withAttributes(one, minor)) : list;
    return {
      ...STACK_DEFAULTS,
      ...facts,
      objects: converted(objects),
      ...(outside !== undefined && { outside: converted(outside) }),
    };
  }),
});

interface Earlier {
  readonly action?: unknown;
  readonly attributes?: unknown;
}

type EarlierAttribute = Omit<ReportAttribute, "difference"> & { readonly difference?: unknown };
type Mark = Difference["mark"];

/** The mark of an object's differences, by the action on the object. For all other actions, the mark is `~`. */
const MARKS: ReadonlyMap<unknown, Mark> = new Map([
  ["create", "+"],
  ["delete", "-"],
]);

function withAttributes(object: Earlier, minor: number): unknown {
  const { action, attributes } = Object(object) as Earlier;
  if (!Array.isArray(attributes)) return object;
  const mark = MARKS.get(action) ?? "~";
  return {
    ...object,
    attributes: attributes.map((one: EarlierAttribute) => {
      if (typeof one !== "object" || one === null) return one;
      const whole = one.difference === undefined ? { ...one, difference: differenceOf(one, mark) } : one;
      return minor < 10 ? withEncodedValues(whole) : whole;
    }),
  };
}

/** The fields with values of an attribute. */
const VALUES: ReadonlySet<string> = new Set(["before", "after", "live", "declared", "changed_outside"]);

const withEncodedValues = (attribute: EarlierAttribute): unknown =>
  Object.fromEntries(
    Object.entries(attribute).map(([name, value]) => [
      name,
      VALUES.has(name) ? reportedValue(value as Value) : value,
    ]),
  );

const SET = { kind: "set", element: { kind: "string" } } as const;

/**
 * Returns the difference of an attribute in a report before format 1.7. Lists are compared as sets, because the report
 * contains no schema, and almost all lists are sets.
 */
function differenceOf(attribute: EarlierAttribute, mark: Mark): Difference {
  const { sensitive, unknown, before, after, live, changed_outside: outside, declared } = attribute;
  if (sensitive) return { mark, kind: "hidden" };
  const [was, now] = [before, unknown === true ? UNKNOWN : after].map((value) =>
    value === undefined || value === null ? undefined : withoutNulls(value as Value),
  );
  const text = (value: unknown) => JSON.stringify(value ?? null);
  const notes = [
    outside && `changed outside: applied ${text(outside.applied)}, live ${text(outside.live)}`,
    live !== undefined && `live: ${text(live)}`,
  ].filter((note) => typeof note === "string");
  const difference = compare(was, now, { ...NO_CONTEXT, type: SET });
  const named = (when: "before" | "after", name: string | undefined) =>
    difference.kind === "leaf" && difference[when] !== undefined && name !== undefined
      ? { [when]: `${difference[when]} (${name})` }
      : {};
  return {
    ...difference,
    ...named("before", attribute.before_name),
    ...named("after", attribute.after_name),
    ...(notes.length > 0 && { notes }),
    ...(declared !== undefined && { remarks: [`now declared: ${attribute.name} = ${text(declared)}`] }),
  };
}

/** @throws UnusableReport if the text is not a report, or not in a format 1.x */
function versioned(text: string): {
  readonly json: { readonly stacks: readonly unknown[] };
  readonly minor: number;
} {
  const json = parsed(text);
  const { format_version: version, command, stacks } = (json ?? {}) as Record<string, unknown>;
  if (typeof version !== "string" || typeof command !== "string" || !Array.isArray(stacks))
    throw new UnusableReport("it is not a report of Steward");
  const [, major, minor] = VERSION.exec(version) ?? [];
  if (major !== "1")
    throw new UnusableReport("its format version is not 1.x, so it needs a newer release of Steward");
  return { json: json as { stacks: unknown[] }, minor: Number(minor) };
}

function checked<S extends z.core.$ZodType>(schema: S, json: unknown): z.infer<S> {
  const result = z.safeParse(schema, json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UnusableReport(`it is damaged at ${issue!.path.join(".")}`);
}

function timeOf(text: string, field: string): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UnusableReport(`its ${field} is not a time in UTC`);
  return time;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (problem) {
    if (problem instanceof JsonSyntaxError) throw new UnusableReport(problem.message);
    throw problem;
  }
}
