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
    differenceOfChanges(saved, present, "changes") ??
    differenceOfChanges(saved, present, "drift") ??
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

function differenceOfChanges(saved: RecordJson, present: RecordJson, list: List): Difference | undefined {
  const [then, now] = [byName(saved[list]), byName(present[list])];
  const isDrift = list === "drift";
  for (const name of new Set([...then.keys(), ...now.keys()])) {
    const [one, other] = [then.get(name), now.get(name)];
    const { address, mode, action } = (one ?? other)!;
    const what = `${DESCRIPTIONS[list]} ${name}`;
    if (one === undefined) return { what: `the file does not say ${what}`, address, isLive: isDrift };
    if (other === undefined)
      return { what: `the file says ${what}, and nothing comes of it now`, address, isLive: isDrift };
    // What was live explains best why all else differs.
    const field = isDeepStrictEqual(one.before, other.before) ? differingField(one, other) : "before";
    if (field === undefined) continue;
    const isReadAgain = mode === "managed" && action !== "no-op";
    const isLive = isDrift || (isReadAgain && (field === "before" || field === "replaced"));
    if (field !== "before" && field !== "after") return { what: `${what} (${field})`, address, isLive };
    const attribute = differingField(one[field] ?? {}, other[field] ?? {});
    return attribute === undefined
      ? { what: `whether ${name} exists ${field}`, address, isLive }
      : { what: `"${attribute}" of ${name} ${field}`, attribute, address, isLive };
  }
  return isDeepStrictEqual([...then.keys()], [...now.keys()])
    ? undefined
    : { what: `the order of its ${list}` };
}

const byName = (changes: readonly ChangeJson[]): ReadonlyMap<string, ChangeJson> =>
  new Map(changes.map((one) => [objectName(one.address, one.deposed), one]));

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
  /** How often the file has a diagnostic more than the present plan. */
  const surplus = new Map<string, number>();
  const count = ({ diagnostics }: RecordJson, times: number) => {
    for (const one of diagnostics) {
      if (one.code === OF_ANOTHER_STACK) continue;
      const key = canonicalJson(one as unknown as Value);
      surplus.set(key, (surplus.get(key) ?? 0) + times);
    }
  };
  count(saved, 1);
  count(present, -1);
  const found = [...surplus].find(([, times]) => times !== 0);
  if (found === undefined) return undefined;
  const [key, times] = found;
  const { severity, summary, address }: RecordJson["diagnostics"][number] = JSON.parse(key);
  const what = `the ${severity} "${summary}" ${times > 0 ? "of the file does not come up" : "comes up"} now`;
  return { what, ...(address !== undefined && { address }) };
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
