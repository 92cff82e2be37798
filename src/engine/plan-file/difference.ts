import { isDeepStrictEqual } from "node:util";
import { objectName } from "../../language";
import { canonicalJson, type Value } from "../../schema";
import type { ChangeJson, RecordJson } from "./schema";

/** The first difference between a saved plan and the plan made again. */
export interface Difference {
  /** A part of a sentence; quotes no values, since they may be sensitive. */
  readonly what: string;
  readonly address?: string;
  readonly attribute?: string;
  /** It concerns what is live, and what is live was read again. */
  readonly isLive?: boolean;
}

/** The time of the file, which nothing else knows, and the lists whose parts are compared one by one. */
const NOT_COMPARED: ReadonlySet<string> = new Set(["timestamp", "diagnostics", "changes", "drift"]);

const NOTHING: ReadonlySet<string> = new Set();

/** Compares everything that a file records of a plan with the plan made again. */
export function differenceBetween(saved: RecordJson, present: RecordJson): Difference | undefined {
  return (
    differenceOfChanges(saved.changes, present.changes, "changes") ??
    differenceOfChanges(saved.drift, present.drift, "drift") ??
    differenceOfOutputs(saved, present) ??
    differenceOfDiagnostics(saved, present) ??
    differenceOfRest(saved, present)
  );
}

type List = "changes" | "drift";

const DESCRIPTIONS: Readonly<Record<List, string>> = {
  changes: "what is done with",
  drift: "what was found changed on the service of",
};

function differenceOfChanges(
  saved: readonly ChangeJson[],
  present: readonly ChangeJson[],
  list: List,
): Difference | undefined {
  const now = new Map(present.map((one) => [nameOf(one), one]));
  for (const then of saved) {
    const name = nameOf(then);
    const { address } = then;
    const again = now.get(name);
    const isLive = list === "drift";
    const isReadAgain = then.mode === "managed" && then.action !== "no-op";
    if (again === undefined)
      return {
        what: `the file says ${DESCRIPTIONS[list]} ${name}, and nothing comes of it now`,
        address,
        isLive,
      };
    // What was live explains best why all else differs.
    const field = isDeepStrictEqual(then.before, again.before) ? differingField(then, again) : "before";
    if (field === undefined) continue;
    if (field !== "before" && field !== "after")
      return {
        what: `${DESCRIPTIONS[list]} ${name} (${field})`,
        address,
        isLive: isLive || (isReadAgain && field === "replaced"),
      };
    const attribute = differingField(then[field] ?? {}, again[field] ?? {});
    const when = field === "before" ? "before" : "after";
    const found = { address, isLive: isLive || (isReadAgain && field === "before") };
    return attribute === undefined
      ? { what: `whether ${name} exists ${when}`, ...found }
      : { what: `"${attribute}" of ${name} ${when}`, attribute, ...found };
  }
  const named = new Set(saved.map(nameOf));
  const more = present.find((one) => !named.has(nameOf(one)));
  if (more !== undefined)
    return {
      what: `the file does not say ${DESCRIPTIONS[list]} ${nameOf(more)}`,
      address: more.address,
      isLive: list === "drift",
    };
  const isInOrder =
    saved.length === present.length && saved.every((one, at) => nameOf(one) === nameOf(present[at]!));
  return isInOrder ? undefined : { what: `the order of its ${list}` };
}

function differenceOfOutputs({ outputs: saved }: RecordJson, { outputs: present }: RecordJson) {
  const at = Math.max(saved.length, present.length);
  for (let index = 0; index < at; index++) {
    const [one, other] = [saved[index], present[index]];
    if (isDeepStrictEqual(one, other)) continue;
    return { what: `the output "${(one ?? other)!.name}"` };
  }
  return undefined;
}

/** What is known of another stack changes as soon as that stack is applied, such as by a job beside this one. */
const OF_ANOTHER_STACK = "stack_known_in_part";

/** Diagnostics have no order: reads end in any. */
function differenceOfDiagnostics(saved: RecordJson, present: RecordJson): Difference | undefined {
  const [then, now] = [counted(saved), counted(present)];
  for (const [key, { one }] of [...then, ...now]) {
    const [before, after] = [then.get(key)?.count ?? 0, now.get(key)?.count ?? 0];
    if (before === after) continue;
    const { severity, summary, address } = one;
    const what = `the ${severity} "${summary}" ${before > after ? "of the file does not come up" : "comes up"} now`;
    return { what, ...(address !== undefined && { address }) };
  }
  return undefined;
}

interface CountedDiagnostic {
  readonly one: RecordJson["diagnostics"][number];
  readonly count: number;
}

function counted({ diagnostics }: RecordJson): ReadonlyMap<string, CountedDiagnostic> {
  const found = new Map<string, CountedDiagnostic>();
  for (const one of diagnostics) {
    if (one.code === OF_ANOTHER_STACK) continue;
    const key = canonicalJson(one as unknown as Value);
    found.set(key, { one, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return found;
}

function differenceOfRest(saved: RecordJson, present: RecordJson): Difference | undefined {
  const field = differingField(saved, present, NOT_COMPARED);
  return field === undefined ? undefined : { what: `its "${field}"` };
}

/** The first field that differs. Withheld values are numbered in the order in which a plan has them. */
const differingField = (
  saved: object,
  present: object,
  except: ReadonlySet<string> = NOTHING,
): string | undefined =>
  [...new Set([...Object.keys(saved), ...Object.keys(present)])].find(
    (name) => !except.has(name) && !isDeepStrictEqual(own(saved, name), own(present, name)),
  );

const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;

const nameOf = ({ address, deposed }: ChangeJson): string => objectName(address, deposed);
