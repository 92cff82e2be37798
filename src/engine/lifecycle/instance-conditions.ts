import type { AttributePath, Diagnostic } from "../../diagnostics";
import { fromPlain, impliedType, markPaths, type ResourceDeclaration } from "../../language";
import type { ValueObject } from "../../schema";
import { checkConditions } from "../checks/conditions";
import type { Instance } from "../run/instances";
import type { StackRun } from "../run/stack-run";

/** One instance of a declaration in a run. */
export interface InstanceContext {
  readonly run: StackRun;
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
}

/** The object that postconditions see as `self`. */
interface SelfObject {
  readonly values: ValueObject | null | undefined;
  readonly sensitive: readonly AttributePath[];
}

/** Evaluates the preconditions or postconditions of an instance and records the result. */
export function checkInstance(
  { run, declaration, instance }: InstanceContext,
  kind: "precondition" | "postcondition",
  selfObject?: SelfObject,
  isOnlyWarning = false,
): readonly Diagnostic[] {
  const { lifecycle, address, construct, mode } = declaration;
  const conditions = kind === "precondition" ? lifecycle.preconditions : lifecycle.postconditions;
  if (conditions.length === 0) return [];
  const { attributes } = run.schema(declaration);
  const self =
    selfObject?.values &&
    markPaths(fromPlain(selfObject.values, impliedType(attributes)), selfObject.sensitive);
  const outcome = checkConditions(
    conditions,
    run.evaluation,
    { address: instance.address, construct },
    { ...instance.repetition, ...(self && { self }) },
    {
      summary: `${mode === "data" ? "Data source" : "Resource"} ${kind} failed`,
      attribute: ["lifecycle", kind],
      isOnlyWarning,
    },
  );
  run.checks.report("resource", address, instance.address, kind, outcome);
  return outcome.diagnostics;
}

export const hasConditions = ({
  lifecycle: { preconditions, postconditions },
}: ResourceDeclaration): boolean => preconditions.length + postconditions.length > 0;

/**
 * Registers the conditions of a declaration, and of its instances if they are known, as not evaluated yet.
 */
export function registerConditions(
  run: StackRun,
  declaration: ResourceDeclaration,
  instances?: Iterable<{ readonly address: string }>,
): void {
  if (!hasConditions(declaration)) return;
  const { address, lifecycle } = declaration;
  const { preconditions, postconditions } = lifecycle;
  const parts = [
    ...(preconditions.length > 0 ? ["precondition"] : []),
    ...(postconditions.length > 0 ? ["postcondition"] : []),
  ];
  run.checks.declare("resource", address);
  if (instances === undefined) return;
  run.checks.expand("resource", address);
  for (const one of instances) run.checks.register("resource", address, one.address, parts);
}
