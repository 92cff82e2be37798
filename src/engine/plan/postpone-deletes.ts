import { isServiceProblem } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import { deletesPostponed } from "../moves/move-diagnostics";
import type { Instance } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import { deletesObject } from "../steps/steps";
import type { PlanState } from "./plan-state";
import type { PlannedSteps } from "./planned-steps";

interface PostponeDependencies {
  readonly run: StackRun;
  readonly steps: PlannedSteps;
  readonly planState: PlanState;
  /** Declarations that could not be planned, and their dependents. */
  readonly blocked: ReadonlySet<string>;
  /** The instances of a declaration; undefined if unknown. */
  readonly instancesOf: (resource: string) => readonly Instance[] | undefined;
}

/**
 * Removes deletes from a plan while a declaration without an object could not be planned, if it is of the
 * same type or of one that shares sets with it: it may declare one of these objects or a part of it.
 */
export function postponeDeletes({ run, steps, planState, blocked, instancesOf }: PostponeDependencies): void {
  // With other errors the plan can't be applied at all.
  if (run.diagnostics.some(({ severity, code }) => severity === "error" && !isServiceProblem(code))) return;
  const held = new Set(planState.managed.map(({ address }) => address));
  const lacksObject = (declaration: ResourceDeclaration): boolean => {
    const { address, count, forEach } = declaration;
    const instances = instancesOf(address);
    if (instances !== undefined) return instances.some((instance) => !held.has(instance.address));
    return count !== undefined || forEach !== undefined || !held.has(address);
  };
  const unplanned = [...run.context.configuration.resources.values()].filter(
    (declaration) =>
      declaration.mode === "managed" && blocked.has(declaration.address) && lacksObject(declaration),
  );
  const relatedTypes = ({ type, provider }: ResourceDeclaration): readonly string[] => [
    type,
    ...(run.configured(provider)?.sharesWith?.(type) ?? []),
  ];
  for (const type of new Set(unplanned.flatMap(relatedTypes))) {
    const deletes = steps.all.filter((step) => step.change.type === type && deletesObject(step));
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
