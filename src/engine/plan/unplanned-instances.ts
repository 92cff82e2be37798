import { type Diagnostic, hasErrors, isServiceProblem } from "../../diagnostics";
import type { StoredState } from "../../framework";
import { DYNAMIC, type ResourceDeclaration, unknown } from "../../language";
import type { ValueObject } from "../../schema";
import { evaluateNodes } from "../data/evaluate-nodes";
import { deletesPostponed } from "../moves/move-diagnostics";
import { instanceConfig } from "../run/instance-config";
import { expand, type Instance } from "../run/instances";
import { at, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { restrictionOf } from "../run/targets";
import { isObjectDelete } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";

/** A declared instance without a step. */
export interface UnplannedDeclaration {
  readonly declaration: ResourceDeclaration;
  readonly address: string;
  /** Its declared values; undefined if they can't be evaluated. */
  readonly declared: StoredState | undefined;
  /** The object that the state holds at its address. */
  readonly held: StateObject | undefined;
  /** `left out` by `--target`; `failed` if it or a dependency could not be planned. */
  readonly why: "left out" | "failed";
}

/** A declared instance without a step, whose object the state may hold at another address. */
export interface UnplannedInstance {
  readonly address: string;
  readonly type: string;
  readonly provider: string;
  /** Its declared values; undefined if they can't be evaluated. */
  readonly declared: StoredState | undefined;
  /** The identity of its object; undefined if unknown. */
  readonly identity: string | undefined;
  /** `left out` by `--target`; `failed` if it or a dependency could not be planned. */
  readonly why: "left out" | "failed";
}

/**
 * The declared instances without a step. Outside of the targets, data sources are read only for the types of deletes.
 *
 * @param deletedTypes the types of deletes
 */
export async function unplannedDeclarations(
  { run, mode, targets, steps, objects, managed, walked, blocked }: PlanGraph,
  deletedTypes: ReadonlySet<string>,
): Promise<UnplannedDeclaration[]> {
  if (blocked.size === 0 && restrictionOf(run.context) === undefined) return [];
  const declarations = [...run.context.configuration.resources.values()].filter(
    ({ mode: kind, address }) =>
      kind === "managed" && (blocked.has(address) || restrictionOf(run.context) !== undefined),
  );
  if (declarations.length === 0) return [];
  const needed = declarations
    .filter(({ address }) => walked?.has(address) !== true)
    .filter(({ type, address }) => deletedTypes.has(type) || !isDataDependent(run, address))
    .flatMap(({ address }) => run.graph.dependenciesOf(address));
  await evaluateNodes(run, needed, objects.current, walked);
  // A dependency that could not be read is unknown; the remaining values may still identify the object.
  for (const { address } of run.context.configuration.resources.values())
    if (blocked.has(address)) run.evaluation.set(address, unknown(DYNAMIC));
  const held = new Map(managed.map((object) => [object.address, object]));
  const found: UnplannedDeclaration[] = [];
  for (const declaration of declarations)
    for (const { address, declared } of instancesOf(run, declaration)) {
      const isPlanned = walked?.has(declaration.address) === true;
      const isExcluded = !isPlanned || !targets.isSelected(address);
      // A destroy creates nothing.
      if (steps.has(address) || (!isExcluded && mode !== "normal")) continue;
      const why = isExcluded ? "left out" : "failed";
      found.push({ declaration, address, declared, held: held.get(address), why });
    }
  return found;
}

/** The unplanned declarations, except those whose own address holds their object, which stay unchanged. */
export async function unplannedInstances(
  { identities }: PlanGraph,
  declarations: readonly UnplannedDeclaration[],
): Promise<UnplannedInstance[]> {
  const found: UnplannedInstance[] = [];
  for (const { declaration, address, declared, held, why } of declarations) {
    const { type, provider } = declaration;
    const identity = declared && (await identities.identify(provider, type, declared));
    const isUnmoved = held !== undefined && (await identities.identifyObject(held)) === identity;
    if (isUnmoved || (held !== undefined && identity === undefined)) continue;
    found.push({ address, type, provider, declared, identity, why });
  }
  return found;
}

const isDataDependent = (run: StackRun, address: string): boolean =>
  [...run.graph.closure(run.graph.dependenciesOf(address))].some((id) => id.startsWith("data."));

/** The instances of a declaration; the declaration itself if they can't be expanded. */
function instancesOf(run: StackRun, declaration: ResourceDeclaration) {
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  if (hasErrors(diagnostics)) return [{ address: declaration.address, declared: undefined }];
  return instances.map((instance) => {
    const { config, diagnostics: problems } = instanceConfig(run, declaration, instance);
    return { address: instance.address, declared: hasErrors(problems) ? undefined : { attributes: config } };
  });
}

/**
 * Declarations that this run can't plan own what they declare all the same. Refuses what a planned declaration owns
 * too: it would be changed as if nobody else declared it.
 */
export const claimUnplanned = (run: StackRun, unplanned: readonly UnplannedDeclaration[]): Diagnostic[] =>
  unplanned.flatMap((one) => claimOf(run, one));

function claimOf(
  run: StackRun,
  { declaration, address, declared, held }: UnplannedDeclaration,
): readonly Diagnostic[] {
  const { type, provider, construct } = declaration;
  const client = run.configured(provider);
  const object = held && String((held.instance.attributes as ValueObject)["id"]);
  for (const state of [declared && withMemory(declared, held), held && stateOf(held)]) {
    const conflicts = state && client?.claim?.({ type, address, object, ...state });
    if (conflicts !== undefined) return at(conflicts, address, construct);
  }
  return [];
}

/** The paths that its object remembers name the targets of a declaration too. */
const withMemory = (declared: StoredState, held: StateObject | undefined): StoredState => ({
  private: held?.instance.private,
  ...declared,
});

const stateOf = ({ instance }: StateObject): StoredState => ({
  attributes: instance.attributes as ValueObject,
  private: instance.private,
});

/**
 * Removes deletes from a plan while a declaration without an object could not be planned, if it is of the
 * same type or of one that shares sets with it: it may declare one of these objects or a part of it.
 *
 * @param instancesOf the instances of a declaration; undefined if unknown
 */
export function postponeDeletes(
  { run, steps, managed, blocked }: PlanGraph,
  instancesOf: (resource: string) => readonly Instance[] | undefined,
): void {
  if (blocked.size === 0) return;
  // With other errors the plan can't be applied at all.
  if (run.diagnostics.some(({ severity, code }) => severity === "error" && !isServiceProblem(code))) return;
  const held = new Set(managed.map(({ address }) => address));
  const isWithoutObject = (declaration: ResourceDeclaration): boolean => {
    const { address, count, forEach } = declaration;
    const instances = instancesOf(address);
    if (instances !== undefined) return instances.some((instance) => !held.has(instance.address));
    return count !== undefined || forEach !== undefined || !held.has(address);
  };
  const unplanned = [...run.context.configuration.resources.values()].filter(
    (declaration) =>
      declaration.mode === "managed" && blocked.has(declaration.address) && isWithoutObject(declaration),
  );
  const relatedTypes = ({ type, provider }: ResourceDeclaration): readonly string[] => [
    type,
    ...(run.configured(provider)?.sharesWith?.(type) ?? []),
  ];
  for (const type of new Set(unplanned.flatMap(relatedTypes))) {
    const deletes = steps.all.filter((step) => step.change.type === type && isObjectDelete(step));
    for (const step of deletes) steps.remove(step);
    const waitingFor = unplanned
      .filter((one) => relatedTypes(one).includes(type))
      .map(({ address }) => address);
    if (deletes.length > 0)
      run.report([
        deletesPostponed(
          deletes.map(({ change }) => change.address),
          waitingFor,
        ),
      ]);
  }
}
