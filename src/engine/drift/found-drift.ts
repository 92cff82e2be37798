import { hasErrors } from "../../diagnostics";
import type { AccessReport, AccessRequest } from "../../framework";
import type { Lifecycle, ResourceDeclaration } from "../../language";
import { differences, isDeclared, sameValue, type ValueObject, withDefaults } from "../../schema";
import { compareNatural } from "../../text";
import { ignoreChanges } from "../lifecycle/ignore-changes";
import type { DriftedObject, DriftReport } from "../model/drift";
import type { ResourceChange } from "../model/plan";
import { askByService } from "../plan/describe-plan";
import { instanceConfig } from "../run/instance-config";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { addContainer, Identities, learnContainers } from "../steps/identities";
import type { Refreshed } from "../steps/refresh";

/** A drifted object with the key of its provider configuration. */
export interface FoundDrift {
  readonly provider: string;
  readonly drifted: DriftedObject;
  readonly refreshed: Refreshed;
}

/** Drifted objects by address, with the paths of their containers. */
export async function withPaths(run: StackRun, found: readonly FoundDrift[]): Promise<DriftedObject[]> {
  await learnContainers(
    run,
    found.map(({ provider, drifted }) => ({ ...drifted.change, of: provider })),
  );
  for (const { provider, drifted } of found) addContainer(run, provider, drifted.change);
  return found
    .map(({ drifted }) => drifted)
    .sort((one, other) => compareNatural(one.change.address, other.change.address));
}

/** The current values of declared attributes, where they differ from what was applied. */
export async function declaredValues(
  run: StackRun,
  { type, provider }: ResourceDeclaration,
  { object, before }: Refreshed,
  change: ResourceChange,
  names: readonly string[],
  config: ValueObject,
): Promise<ValueObject> {
  const attributes = names.filter((name) => isDeclared(change.attributes[name]!, config[name]));
  const declared = Object.fromEntries(
    attributes.map((name) => [name, withDefaults(change.attributes[name]!, config[name] ?? null)]),
  );
  if (Object.keys(notApplied(change, declared)).length === 0) return {};
  // A value may have several spellings; only the provider can compare them.
  const { planned } = await run
    .configured(provider)
    .planResource({ type, address: object.address, prior: before, config });
  return notApplied(change, { ...declared, ...(planned && onlyNamed(planned.attributes, attributes)) });
}

/** The values that differ from what was applied. */
const notApplied = ({ attributes, before }: ResourceChange, values: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !sameValue(value, before?.[name] ?? null, attributes[name]?.type),
    ),
  );

const onlyNamed = (values: ValueObject, names: readonly string[]): ValueObject =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/** The declared attributes that differ on the service and are not in `ignore_changes`. */
export function driftedAttributes(
  { attributes, before, after }: ResourceChange,
  config: ValueObject,
  lifecycle: Pick<Lifecycle, "ignoreChanges">,
): string[] {
  const compared = ignoreChanges(lifecycle, attributes, before!, after!);
  return differences(attributes, before!, compared)
    .filter(({ name, attribute }) => isDeclared(attribute, config[name]))
    .map(({ name }) => name);
}

/** A declared instance. */
export interface DeclaredInstance {
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
}

interface Renamed extends DeclaredInstance {
  /** The object of the state, at its newly declared address. */
  readonly object: StateObject;
}

/**
 * Pairs objects of the state that are no longer declared at their address with new declarations of the same
 * objects, as a plan does. An ambiguous match is left out: the plan reports it.
 */
export async function renamedObjects(
  run: StackRun,
  undeclared: readonly StateObject[],
  missing: readonly DeclaredInstance[],
): Promise<Renamed[]> {
  if (missing.length === 0) return [];
  const identities = new Identities(run);
  const types = new Set(missing.map(({ declaration }) => declaration.type));
  const held = new Map<string, StateObject[]>();
  for (const object of undeclared.filter(({ resource }) => types.has(resource.type))) {
    const identity = await identities.identifyObject(object);
    if (identity !== undefined) held.set(identity, [...(held.get(identity) ?? []), object]);
  }
  if (held.size === 0) return [];
  const renamed: Renamed[] = [];
  for (const { declaration, instance } of missing) {
    const { config, diagnostics, invalid } = instanceConfig(run, declaration, instance);
    if (hasErrors(diagnostics) || hasErrors(invalid)) continue;
    const { provider, type, name, mode } = declaration;
    const identity = await identities.identify(provider, type, { attributes: config });
    const [object, ...others] = (identity !== undefined && held.get(identity)) || [];
    if (object === undefined || others.length > 0) continue;
    const { address } = instance;
    renamed.push({
      declaration,
      instance,
      object: { ...object, address, resource: { ...object.resource, mode, type, name } },
    });
  }
  return renamed;
}

export interface DriftAccess {
  /** Says who gained and who lost access by those of the drifted objects that it returns. */
  readonly accessOf?: ((drifted: readonly DriftedObject[]) => readonly DriftedObject[]) | undefined;
}

interface Findings extends Pick<DriftReport, "drifted" | "unchecked"> {
  readonly found: readonly FoundDrift[];
}

/**
 * Who gained and who lost access by hand. Providers describe what changes live objects, so they describe the change that
 * would restore what was applied, in reverse.
 */
export async function accessOfDrift(
  run: StackRun,
  { found, drifted, unchecked }: Findings,
  accessOf: DriftAccess["accessOf"],
): Promise<Pick<DriftReport, "access">> {
  if (accessOf === undefined || run.context.stop?.aborted) return {};
  const byAddress = new Map(found.map((one) => [one.drifted.change.address, one]));
  const changes = accessOf(drifted).map((one) => restoring(one, byAddress.get(one.change.address)!));
  const access = await run.guard("access", async (): Promise<AccessReport> => {
    const reports = await askByService(run, changes, (provider, all) =>
      provider.describeAccess?.(all, { isReversed: true }),
    );
    return {
      places: reports.flatMap(({ places }) => places),
      touched: reports.flatMap(({ touched = [] }) => touched),
      notCounted: [...reports.flatMap(({ notCounted }) => notCounted), ...notChecked(run, unchecked)],
    };
  });
  return typeof access === "object" ? { access } : {};
}

/** The change that restores the drifted attributes, or the object. */
function restoring(
  { kind, change: { type, address }, attributes }: DriftedObject,
  { provider, refreshed: { before, live } }: FoundDrift,
): { readonly provider: string; readonly request: AccessRequest } {
  const restored = attributes.map((name) => [name, before.attributes[name] ?? null] as const);
  const applied =
    kind === "vanished" ? before.attributes : { ...live?.attributes, ...Object.fromEntries(restored) };
  const planned = { ...before, attributes: applied };
  return { provider, request: { type, address, prior: live, planned, config: applied } };
}

function notChecked(run: StackRun, unchecked: DriftReport["unchecked"]): AccessReport["notCounted"] {
  if (unchecked.length > 0)
    return unchecked.map(({ object }) => ({ what: object.address, why: "it could not be checked" }));
  return hasErrors(run.diagnostics) ? [{ what: "objects that were not checked", why: "the run failed" }] : [];
}
