import * as z from "zod/mini";
import { JsonSyntaxError, parseJson } from "../../json";
import { FORMAT_VERSION, type Report, reportSchema } from "./model";

/**
 * What is read of a report, in every version of the format: fields that a later version added are optional. Reports
 * have more, which is left out.
 */
const readable = z.object({
  command: z.enum(["plan", "apply", "destroy", "drift"]),
  started_at: z.string(),
  result: z.enum(["clean", "found", "failed"]),
  limited_to: z.optional(
    z.object({ targets: z.optional(z.array(z.string())), excludes: z.optional(z.array(z.string())) }),
  ),
  coverage: z.optional(z.array(z.string())),
  stacks: z.array(
    z.object({
      name: z.nullable(z.string()),
      objects: z.array(
        z.object({
          address: z.string(),
          type: z.string(),
          project: z.optional(z.string()),
          group: z.optional(z.string()),
          url: z.optional(z.string()),
          id: z.optional(z.string()),
          container: z.optional(z.string()),
          action: z.optional(z.string()),
          previous_address: z.optional(z.string()),
          status: z.string(),
          fingerprint: z.optional(z.string()),
          known: z.optional(z.boolean()),
          repaired: z.optional(z.boolean()),
          attributes: z.array(
            z.object({
              name: z.string(),
              sensitive: z.boolean(),
              before: z.optional(z.unknown()),
              after: z.optional(z.unknown()),
              before_name: z.optional(z.string()),
              after_name: z.optional(z.string()),
            }),
          ),
        }),
      ),
      ignored: z.optional(z.array(z.object({ object: z.string() }))),
      known_fingerprints: z.optional(z.array(z.string())),
    }),
  ),
});

type Readable = z.infer<typeof readable>;

/** A report, with what its version of the format tells. */
export interface ReadReport extends Omit<Readable, "started_at"> {
  /** When the run started, in milliseconds since 1970. */
  readonly time: number;
  /** Whether the report says which objects the run left out (format 1.4): whatever it does not list is gone. */
  readonly saysScope: boolean;
}

export type ReadStack = Readable["stacks"][number];
export type ReadObject = ReadStack["objects"][number];

/** A file that is not a report, or a damaged one. The message is a clause, such as `it is not a report of steward`. */
export class UnusableReport extends Error {
  override readonly name = "UnusableReport";
}

const VERSION = /^(\d{1,9})\.(\d{1,9})$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** What a history shows of a report. @throws UnusableReport */
export function readReport(text: string): ReadReport {
  const { json, minor } = versioned(text);
  const { started_at: started, ...report } = checked(readable, json);
  return { ...report, time: timeOf(started, "started_at"), saysScope: minor >= 4 };
}

const OWN_MINOR = Number(VERSION.exec(FORMAT_VERSION)![2]);

/** Every part of a report. @throws UnusableReport also if a later release has parts that this one would drop */
export function readWholeReport(text: string): Report {
  const { json, minor } = versioned(text);
  if (minor > OWN_MINOR)
    throw new UnusableReport(
      `its format version is later than ${FORMAT_VERSION}: use the release that wrote it`,
    );
  const report = checked(reportSchema, withDefaults(json));
  timeOf(report.started_at, "started_at");
  timeOf(report.finished_at, "finished_at");
  return report;
}

/** The lists of a stack that earlier versions of the format lack. */
export const STACK_DEFAULTS = {
  outputs: [],
  unchecked: 0,
  ignored: [],
  known: 0,
  known_fingerprints: [],
  diagnostics: [],
};

const withDefaults = (json: { readonly stacks: readonly unknown[] }): unknown => ({
  ...json,
  stacks: json.stacks.map((stack) => ({ ...STACK_DEFAULTS, ...Object(stack) })),
});

/** @throws UnusableReport if it is no report of format 1.x */
function versioned(text: string): {
  readonly json: { readonly stacks: readonly unknown[] };
  readonly minor: number;
} {
  const json = parsed(text);
  const { format_version: version, command, stacks } = (json ?? {}) as Record<string, unknown>;
  if (typeof version !== "string" || typeof command !== "string" || !Array.isArray(stacks))
    throw new UnusableReport("it is not a report of steward");
  const [, major, minor] = VERSION.exec(version) ?? [];
  if (major !== "1")
    throw new UnusableReport("its format version is not 1.x: a newer release of steward may read it");
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
