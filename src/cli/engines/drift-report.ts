import type { Diagnostic } from "../../diagnostics";
import {
  type DriftedObject,
  type DriftReport,
  driftedAttributes,
  notApplied,
  type ResourceChange,
  withoutKey,
} from "../../engine";
import { createProvider } from "../../provider";
import { sameValue, type ValueObject } from "../../schema";
import type { Declarations } from "./declarations";
import type { DeclaredObjects } from "./declared-objects";

/** The parts of `show -json PLAN` that tell of drift. */
export interface ShownPlan {
  readonly resource_changes?: readonly ShownChange[];
  readonly resource_drift?: readonly ShownChange[];
}

interface ShownChange {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly provider_name: string;
  readonly deposed?: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: ValueObject | null;
    readonly after: ValueObject | null;
    readonly before_sensitive?: unknown;
    readonly after_sensitive?: unknown;
  };
}

/** The drift that a plan of another engine found, as our own engine tells it. */
export function driftReport(
  { resource_changes: changes = [], resource_drift: drift = [] }: ShownPlan,
  declared: DeclaredObjects,
  declarations: Declarations,
  diagnostics: readonly Diagnostic[],
): DriftReport {
  // What is only deleted is declared no more.
  const wanted = new Map(
    changes
      .filter((one) => isObject(one) && one.change.actions.join() !== "delete")
      .map((one) => [one.address, one]),
  );
  const moved = drift.filter((one) => isObject(one) && wanted.has(one.address));
  const vanished = new Set(moved.filter(({ change }) => change.after === null).map(({ address }) => address));
  const known = [...wanted.values()].filter(
    ({ address, change }) => change.before !== null || vanished.has(address),
  );
  const told = (one: ShownChange) =>
    changeOf(one, declarations.resources.get(withoutKey(one.address))?.construct);
  const drifted = moved
    .map((one): DriftedObject => {
      const change = told(one);
      if (change.after === null) return { kind: "vanished", change, attributes: [], declared: {} };
      const planned = wanted.get(one.address)!;
      const attributes = differences(one, planned, declared, declarations);
      // What Terraform plans is what the code says, in the spelling of what is live.
      const said = attributes.map((name) => [name, planned.change.after?.[name] ?? null] as const);
      return {
        kind: "changed",
        change,
        attributes,
        declared: notApplied(change, Object.fromEntries(said)),
      };
    })
    .filter(({ kind, attributes }) => kind === "vanished" || attributes.length > 0)
    .sort((one, other) => (one.change.address < other.change.address ? -1 : 1));
  return { drifted, objects: known.map(told), unchecked: [], looked: [], diagnostics };
}

const isObject = ({ mode, deposed }: ShownChange): boolean => mode === "managed" && deposed === undefined;

const { resources } = createProvider().schema;

function differences(
  one: ShownChange,
  planned: ShownChange,
  declared: DeclaredObjects,
  declarations: Declarations,
): readonly string[] {
  const { type, address, change } = one;
  const attributes = resources[type]?.attributes;
  if (attributes === undefined) return mended(one, planned);
  const config = declared.of(type, change.after!) ?? {};
  const written = declarations.resources.get(withoutKey(address));
  const found = changeOf(one, undefined);
  const differing = driftedAttributes(found, config, written ?? { ignoreChanges: [] });
  // What a module or a file in HCL ignores is not read here: the plan shows it, by leaving it as it is.
  return written === undefined ? differing.filter((name) => mended(one, planned).includes(name)) : differing;
}

/** What differs and the plan would put back. */
function mended({ change: found }: ShownChange, { change: planned }: ShownChange): readonly string[] {
  const differs = (one: ValueObject | null, other: ValueObject | null, name: string) =>
    !sameValue(one?.[name] ?? null, other?.[name] ?? null);
  return Object.keys(found.after!).filter(
    (name) => differs(found.before, found.after, name) && differs(planned.before, planned.after, name),
  );
}

function changeOf(one: ShownChange, construct: string | undefined): ResourceChange {
  const { address, mode, type, name, index, provider_name: provider, change } = one;
  return {
    address,
    mode,
    type,
    name,
    ...(index !== undefined && { indexKey: index }),
    provider,
    action: change.after === null ? "delete" : "update",
    before: change.before,
    after: change.after,
    beforeSensitive: sensitiveNames(change.before_sensitive),
    afterSensitive: sensitiveNames(change.after_sensitive),
    replacePaths: [],
    attributes: resources[type]?.attributes ?? {},
    ...(construct !== undefined && { construct }),
  };
}

/** The attributes that hold something sensitive: all of such a one is hidden. */
const sensitiveNames = (mask: unknown): readonly [string][] =>
  typeof mask !== "object" || mask === null
    ? []
    : Object.entries(mask)
        .filter(([, part]) => JSON.stringify(part)?.includes("true"))
        .map(([name]) => [name]);
