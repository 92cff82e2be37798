import { type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
import {
  type AccessReport,
  type AccessRequest,
  decide,
  HELD,
  NEW,
  type NotCounted,
  type Verdict,
} from "../../framework";
import type { ResourceDeclaration } from "../../language";
import { type Attribute, differences, sameValue, type ValueObject, withDefaults } from "../../schema";
import { compareNatural } from "../../text";
import {
  addContainer,
  containerByAttributes,
  containerOf,
  declaredPaths,
  Identities,
  learnContainers,
} from "../objects/identities";
import type { StateObject } from "../objects/objects";
import type { Refreshed } from "../objects/refresh";
import { accessBy } from "../plan/describe-plan";
import { type HeldObject, joinByIdentity, type WantedObject } from "../plan/moves";
import type { DriftedObject, DriftReport, StoredObject, UncheckedObject } from "../results/drift";
import type { ResourceChange } from "../results/plan";
import { type Instance, instanceConfig } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import { ignoreChanges } from "../steps/lifecycle";
import { isAsStored, observedChange, storedObject } from "../steps/steps";

/** A drifted object with the key of its provider configuration. */
interface FoundDrift {
  readonly provider: string;
  readonly drifted: DriftedObject;
  readonly refreshed: Refreshed;
}

/**
 * The tests that show which attributes of an object are declared. The tests use the configuration, or a state that
 * records only some of the declared attributes.
 */
export interface Declared {
  readonly isDeclared: (attribute: Attribute, name: string) => boolean;
  /** The declaration and the evaluated configuration; undefined if they are not known. */
  readonly by?: { readonly declaration: ResourceDeclaration; readonly config: ValueObject };
  /** Returns true if the source does not show whether an attribute is declared. */
  readonly isUncertain?: (attribute: Attribute) => boolean;
}

export interface DriftAccess {
  /** Selects the drifted objects whose drift the access report describes. Without this function, there is no access report. */
  readonly accessOf?: ((drifted: readonly DriftedObject[]) => readonly DriftedObject[]) | undefined;
  /** Objects that the run does not compare. The access report does not count these objects. */
  readonly notCounted?: readonly NotCounted[] | undefined;
  /** Receives drifted objects. Returns an error for each object that another run is changing, by the address of the object. */
  readonly changedByOthers?:
    | ((
        objects: readonly Pick<Diagnostic, "address" | "construct">[],
      ) => Promise<ReadonlyMap<string, Diagnostic>>)
    | undefined;
}

/** The kind of a drifted object, for each verdict of the decision table about the change that restores the object. */
const KINDS: ReadonlyMap<Verdict, DriftedObject["kind"]> = new Map([
  ["create", "vanished"],
  ["update", "changed"],
]);

/** Collects the drift of a run. Drift is a change in a declared attribute, as a refresh-only plan would store it. */
export class Drift {
  readonly #found: FoundDrift[] = [];
  readonly #checked: StoredObject[] = [];
  readonly #unchecked: UncheckedObject[] = [];
  /** The key of the provider configuration for each object in the lists above. */
  readonly #providers = new Map<StoredObject, string>();

  constructor(private readonly run: StackRun) {}

  /** The addresses of the objects that were compared. */
  get checked(): string[] {
    return this.#checked.map(({ address }) => address);
  }

  /** Records an object that could not be compared. The caller must report the diagnostics. */
  leaveUnchecked(object: StateObject, diagnostics: readonly Diagnostic[]): void {
    this.#unchecked.push({ object: this.#stored(object), diagnostics });
  }

  /**
   * Compares an object with the service. `declaredBy` evaluates the declaration, and is called only if the object could be
   * read.
   */
  async check(refreshed: Refreshed, declaredBy: () => Declared): Promise<void> {
    const { object, diagnostics } = refreshed;
    if (this.run.report(diagnostics) === "failed") return this.leaveUnchecked(object, diagnostics);
    const declared = declaredBy();
    const compared = declaredPaths(this.run, refreshed, declared.by?.config);
    const paths = compared instanceof Promise ? await compared : compared;
    if (this.run.report(paths) === "failed") return this.leaveUnchecked(object, paths);
    this.#checked.push(this.#stored(object));
    if (isAsStored(this.run, refreshed)) return;
    const change = observedChange(this.run, refreshed);
    const isGone = change.after === null;
    const attributes = isGone ? [] : driftedAttributes(change, declared);
    const { verdict } = decide({
      ...HELD,
      live: isGone ? "absent" : "present",
      difference: attributes.length > 0 ? "update" : "none",
    });
    const kind = KINDS.get(verdict);
    if (kind === undefined) return;
    const notKnown = attributes.filter((name) => declared.isUncertain?.(change.attributes[name]!));
    const drifted: DriftedObject = {
      kind,
      change,
      attributes,
      // For a vanished object, all declared attributes count, because a create restores the object and writes all of them.
      declared: await this.#declaredValues(
        refreshed,
        change,
        isGone ? Object.keys(change.attributes) : attributes,
        declared,
      ),
      ...(notKnown.length > 0 && { notKnownDeclared: notKnown }),
    };
    this.#found.push({ provider: object.provider, drifted, refreshed });
  }

  #stored(object: StateObject): StoredObject {
    const stored = storedObject(this.run, object);
    this.#providers.set(stored, object.provider);
    return stored;
  }

  /**
   * Adds the path of the container to an object that names its container only by id. If the run does not know the path, returns
   * the object unchanged.
   */
  #placed(object: StoredObject): StoredObject {
    const values = { ...object, after: null };
    if (!/^\d+$/.test(containerByAttributes(values)?.name ?? "")) return object;
    const container = containerOf(this.run, this.#providers.get(object)!, values);
    return container === undefined ? object : { ...object, container };
  }

  /**
   * Returns the values in the configuration that differ from the values of the last apply, by attribute name. Only declared
   * attributes among `names` are compared.
   */
  async #declaredValues(
    { object, before }: Refreshed,
    change: ResourceChange,
    names: readonly string[],
    { isDeclared, by }: Declared,
  ): Promise<ValueObject> {
    if (by === undefined) return {};
    const { config, declaration } = by;
    const attributes = names.filter((name) => isDeclared(change.attributes[name]!, name));
    const declared = Object.fromEntries(
      attributes.map((name) => [name, withDefaults(change.attributes[name]!, config[name] ?? null)]),
    );
    if (Object.keys(notApplied(change, declared)).length === 0) return {};
    // One value can have several spellings, which only the provider can compare. The plan of the provider then contains the
    // spelling of the state.
    const { type, provider } = declaration;
    const { planned } = await this.run
      .configured(provider)
      .planResource({ type, address: object.address, prior: before, config });
    return notApplied(change, { ...declared, ...(planned && onlyNamed(planned.attributes, attributes)) });
  }

  /** Returns the report, in which the objects are sorted by address and have the paths of their containers. */
  async report(
    rest: Pick<DriftReport, "dependencies" | "scans">,
    { accessOf, notCounted = [], changedByOthers }: DriftAccess,
  ): Promise<DriftReport> {
    const { run } = this;
    await this.#leaveToOthers(changedByOthers);
    await learnContainers(
      run,
      this.#found.map(({ provider, drifted: { change } }) => ({ change, provider })),
    );
    for (const { provider, drifted } of this.#found) addContainer(run, provider, drifted.change);
    const drifted = this.#found
      .map((one) => one.drifted)
      .sort((one, other) => compareNatural(one.change.address, other.change.address));
    return {
      drifted,
      ...(accessOf !== undefined &&
        !run.context.stop?.aborted &&
        (await this.#access(accessOf(drifted), notCounted))),
      objects: this.#checked.map((object) => this.#placed(object)),
      unchecked: this.#unchecked.map((one) => ({ ...one, object: this.#placed(one.object) })),
      ...rest,
      diagnostics: mergeDiagnostics(run.diagnostics),
    };
  }

  /** Records objects as unchecked if another run is changing them, because their differences are not drift. */
  async #leaveToOthers(changedByOthers: DriftAccess["changedByOthers"]): Promise<void> {
    const others = await changedByOthers?.(
      this.#found.map(
        ({
          drifted: {
            change: { address, construct },
          },
        }) => ({ address, ...(construct !== undefined && { construct }) }),
      ),
    );
    for (const one of [...this.#found]) {
      const problem = others?.get(one.drifted.change.address);
      if (problem === undefined) continue;
      this.#found.splice(this.#found.indexOf(one), 1);
      this.#checked.splice(
        this.#checked.findIndex(({ address }) => address === one.drifted.change.address),
        1,
      );
      this.run.report([problem]);
      this.leaveUnchecked(one.refreshed.object, [problem]);
    }
  }

  /**
   * Reports the access that manual changes gave and took away. Providers can only describe changes from the live
   * values. Providers therefore describe the change that restores the applied values, and the report reverses this
   * change.
   */
  async #access(
    drifted: readonly DriftedObject[],
    others: readonly NotCounted[],
  ): Promise<Pick<DriftReport, "access">> {
    const byAddress = new Map(this.#found.map((one) => [one.drifted.change.address, one]));
    const changes = drifted.map((one) => restoring(one, byAddress.get(one.change.address)!));
    const access = await this.run.guard("access", async (): Promise<AccessReport> => {
      const report = await accessBy(this.run, changes, { isReversed: true });
      const notCounted = [...report.notCounted, ...notChecked(this.run, this.#unchecked), ...others];
      return { ...report, notCounted };
    });
    return typeof access === "object" ? { access } : {};
  }
}

/** Returns the values that differ from the values of the last apply. */
const notApplied = ({ attributes, before }: ResourceChange, values: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !sameValue(value, before?.[name] ?? null, attributes[name]?.type),
    ),
  );

const onlyNamed = (values: ValueObject, names: readonly string[]): ValueObject =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/** Returns the declared attributes that differ on the service and are not in `ignore_changes`. */
function driftedAttributes({ attributes, before, after }: ResourceChange, { isDeclared, by }: Declared) {
  const ignored = by?.declaration.lifecycle.ignoreChanges ?? [];
  const live = ignored.length === 0 ? after! : ignoreChanges(ignored, attributes, before!, after!);
  return differences(attributes, before!, live)
    .filter(({ name, attribute }) => isDeclared(attribute, name))
    .map(({ name }) => name);
}

export interface DeclaredInstance {
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
}

/**
 * Finds the declarations of objects whose addresses are no longer declared. Returns each object with its declaration
 * and at its new address. An ambiguous object is left out, because the plan reports such an object.
 */
export async function renamedObjects(
  run: StackRun,
  undeclared: readonly StateObject[],
  missing: readonly DeclaredInstance[],
): Promise<readonly (DeclaredInstance & { readonly object: StateObject })[]> {
  if (missing.length === 0) return [];
  const identities = new Identities(run);
  const types = new Set(missing.map(({ declaration }) => declaration.type));
  const objects = new Map(
    undeclared.filter(({ resource }) => types.has(resource.type)).map((one) => [one.address, one]),
  );
  const held: HeldObject[] = [];
  for (const [address, object] of objects) {
    const identity = await identities.identifyObject(object);
    if (identity !== undefined) held.push({ address, identity, released: "yes" });
  }
  if (held.length === 0) return [];
  const wanted: WantedObject[] = [];
  for (const { declaration, instance } of missing) {
    const { config, diagnostics, invalid } = instanceConfig(run, declaration, instance);
    if (hasErrors(diagnostics) || hasErrors(invalid)) continue;
    const { provider, type } = declaration;
    const identity = await identities.identify(provider, type, { attributes: config });
    if (identity !== undefined) wanted.push({ address: instance.address, identity });
  }
  const joined = joinByIdentity(held, wanted);
  return missing.flatMap(({ declaration, instance }) => {
    const { address } = instance;
    const join = joined.get(address);
    if (decide({ ...NEW, held: join?.held ?? "no" }).verdict !== "move") return [];
    const object = objects.get(join!.from[0]!)!;
    const { type, name, mode } = declaration;
    const resource = { ...object.resource, mode, type, name };
    return [{ declaration, instance, object: { ...object, address, resource } }];
  });
}

/** Returns the change that restores the drifted attributes, or the vanished object. */
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
