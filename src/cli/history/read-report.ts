import * as z from "zod/mini";
import { JsonSyntaxError, parseJson } from "../../json";

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

/** @throws UnusableReport */
export function readReport(text: string): ReadReport {
  const json = parsed(text);
  const { format_version: version, command, stacks } = (json ?? {}) as Record<string, unknown>;
  if (typeof version !== "string" || typeof command !== "string" || !Array.isArray(stacks))
    throw new UnusableReport("it is not a report of steward");
  const [, major, minor] = VERSION.exec(version) ?? [];
  if (major !== "1")
    throw new UnusableReport("its format version is not 1.x: a newer release of steward may read it");
  const checked = readable.safeParse(json);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new UnusableReport(`it is damaged at ${issue!.path.join(".")}`);
  }
  const { started_at: started, ...report } = checked.data;
  const time = TIME.test(started) ? Date.parse(started) : Number.NaN;
  if (Number.isNaN(time)) throw new UnusableReport("its started_at is not a time in UTC");
  return { ...report, time, saysScope: Number(minor) >= 4 };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (problem) {
    if (problem instanceof JsonSyntaxError) throw new UnusableReport(problem.message);
    throw problem;
  }
}
