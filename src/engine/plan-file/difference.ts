import { JsonNumber } from "../../json";
import { objectName } from "../../language";
import { isJsonObject, type Json, type JsonObject } from "../../state";
import type { ChangeJson, RecordJson } from "./schema";
import { isWithheld } from "./value-json";

/** The first difference between a saved plan and the plan made again. */
export interface Difference {
  /** A part of a sentence; quotes no values, since they may be sensitive. */
  readonly what: string;
  readonly address?: string;
  readonly attribute?: string;
}

/** Fields that may differ because they have no effect, and those whose parts are compared one by one. */
const NOT_COMPARED: ReadonlySet<string> = new Set(["timestamp", "diagnostics", "changes", "drift"]);

const NOTHING: ReadonlySet<string> = new Set();
const PATH: ReadonlySet<string> = new Set(["path"]);

/** Compares everything that a file records of a plan with the plan made again. */
export function differenceBetween(file: RecordJson, again: RecordJson): Difference | undefined {
  const [saved, present] = [comparable(file), comparable(again)];
  return (
    differenceOfChanges(saved.changes, present.changes, "changes") ??
    differenceOfChanges(saved.drift, present.drift, "drift") ??
    differenceOfOutputs(saved, present) ??
    differenceOfRest(saved, present)
  );
}

/**
 * Without what has no effect: the line of a declaration, which moves when lines are inserted above it, identities,
 * which a plan without reads may not know, and which the state gets from the provider, and the live values that a create
 * replaces, which are shown alone.
 */
function comparable({ priorState, ...record }: RecordJson): RecordJson {
  const change = (whole: ChangeJson): ChangeJson => {
    const {
      position: _,
      beforeIdentity: _before,
      afterIdentity: _after,
      importing,
      replaced: __,
      ...rest
    } = whole;
    return { ...rest, ...(importing && { importing: { id: importing.id } }) };
  };
  return {
    ...record,
    changes: record.changes.map(change),
    drift: record.drift.map(change),
    ...(priorState && { priorState: withoutResourceIdentities(priorState) }),
  };
}

/** A state in `show -json` format, in which resources have their identities beside their values. */
function withoutResourceIdentities(state: JsonObject): JsonObject {
  const { values } = state;
  const root = isJsonObject(values) ? values["root_module"] : undefined;
  const resources = isJsonObject(root) ? root["resources"] : undefined;
  if (!Array.isArray(resources)) return state;
  const kept = resources.map((resource) => {
    if (!isJsonObject(resource)) return resource;
    const { identity: _identity, identity_schema_version: _version, ...rest } = resource;
    return rest;
  });
  return {
    ...state,
    values: { ...(values as JsonObject), root_module: { ...(root as JsonObject), resources: kept } },
  };
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
    if (again === undefined)
      return { what: `the file says ${DESCRIPTIONS[list]} ${name}, and nothing comes of it now`, address };
    // A path can't be compared where a look-up failed.
    const arePathsKnown = then.path !== undefined && again.path !== undefined;
    const field = differingField(then, again, arePathsKnown ? NOTHING : PATH);
    if (field === undefined) continue;
    if (field !== "before" && field !== "after")
      return { what: `${DESCRIPTIONS[list]} ${name} (${field})`, address };
    const attribute = differingField(then[field] ?? {}, again[field] ?? {});
    const when = field === "before" ? "before" : "after";
    return attribute === undefined
      ? { what: `whether ${name} exists ${when}`, address }
      : { what: `"${attribute}" of ${name} ${when}`, address, attribute };
  }
  const named = new Set(saved.map(nameOf));
  const more = present.find((one) => !named.has(nameOf(one)));
  if (more !== undefined)
    return { what: `the file does not say ${DESCRIPTIONS[list]} ${nameOf(more)}`, address: more.address };
  const isInOrder =
    saved.length === present.length && saved.every((one, at) => nameOf(one) === nameOf(present[at]!));
  return isInOrder ? undefined : { what: `the order of its ${list}` };
}

function differenceOfOutputs({ outputs: saved }: RecordJson, { outputs: present }: RecordJson) {
  const at = Math.max(saved.length, present.length);
  for (let index = 0; index < at; index++) {
    const [one, other] = [saved[index], present[index]];
    if (isSame(one as Json | undefined, other as Json | undefined)) continue;
    return { what: `the output "${(one ?? other)!.name}"` };
  }
  return undefined;
}

function differenceOfRest(saved: RecordJson, present: RecordJson): Difference | undefined {
  const field = differingField(saved, present, NOT_COMPARED);
  return field === undefined ? undefined : { what: `its "${field}"` };
}

function differingField(
  one: object,
  other: object,
  except: ReadonlySet<string> = NOTHING,
): string | undefined {
  const [saved, present] = [one as JsonObject, other as JsonObject];
  const names = [...new Set([...Object.keys(saved), ...Object.keys(present)])];
  return names.find((name) => !except.has(name) && !isSame(own(saved, name), own(present, name)));
}

const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Whether two values are equal. A withheld value equals any other withheld value. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (isWithheld(one) || isWithheld(other)) return isWithheld(one) && isWithheld(other);
  if (one instanceof JsonNumber || other instanceof JsonNumber)
    return one instanceof JsonNumber && other instanceof JsonNumber && one.text === other.text;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((part, at) => isSame(part, other[at]));
  if (isJsonObject(one) && isJsonObject(other)) return differingField(one, other) === undefined;
  return one === other;
}

const nameOf = ({ address, deposed }: ChangeJson): string => objectName(address, deposed);
