import type { AttributePath, Diagnostic } from "../../diagnostics";
import { fromPlain, impliedType, markPaths, type ResourceDeclaration } from "../../language";
import type { ValueObject } from "../../schema";
import { checkConditions } from "../checks/conditions";
import type { Instance } from "../run/instances";
import type { StackRun } from "../run/stack-run";

/** One instance of a declaration in one run. */
export interface Stage {
  readonly run: StackRun;
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
}

/** An object that conditions see as `self`. */
interface Subject {
  readonly values: ValueObject | null | undefined;
  readonly sensitive: readonly AttributePath[];
}

/** Checks the conditions of one kind of an instance, and notes what came of them; postconditions see it as `self`. */
export function checkInstance(
  { run, declaration, instance }: Stage,
  kind: "precondition" | "postcondition",
  subject?: Subject,
  onlyWarns = false,
): readonly Diagnostic[] {
  const { lifecycle, address, construct, mode } = declaration;
  const conditions = kind === "precondition" ? lifecycle.preconditions : lifecycle.postconditions;
  if (conditions.length === 0) return [];
  const { attributes } = run.schema(declaration);
  const self =
    subject?.values && markPaths(fromPlain(subject.values, impliedType(attributes)), subject.sensitive);
  const outcome = checkConditions(
    conditions,
    run.evaluation,
    { address: instance.address, construct },
    { ...instance.repetition, ...(self && { self }) },
    {
      summary: `${mode === "data" ? "Data source" : "Resource"} ${kind} failed`,
      attribute: ["lifecycle", kind],
      onlyWarns,
    },
  );
  run.checks.report("resource", address, instance.address, kind, outcome);
  return outcome.diagnostics;
}

export const hasConditions = ({
  lifecycle: { preconditions, postconditions },
}: ResourceDeclaration): boolean => preconditions.length + postconditions.length > 0;

/** Notes that a declaration has conditions, and its instances where they are known, with nothing found out yet. */
export function expectConditions(
  run: StackRun,
  declaration: ResourceDeclaration,
  instances?: readonly string[],
): void {
  const { address, lifecycle } = declaration;
  const { preconditions, postconditions } = lifecycle;
  const parts = [
    ...(preconditions.length > 0 ? ["precondition"] : []),
    ...(postconditions.length > 0 ? ["postcondition"] : []),
  ];
  if (parts.length === 0) return;
  run.checks.declare("resource", address);
  if (instances === undefined) return;
  run.checks.expand("resource", address);
  for (const instance of instances) run.checks.expect("resource", address, instance, parts);
}
