import { hasErrors } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import { isUnknown } from "../../schema";
import { noteNestedRead } from "../checks/check-declarations";
import { instanceConfig } from "../run/instance-config";
import type { Instance } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import { instanceFacts } from "../steps/facts";
import type { PlannedStep, Step } from "../steps/steps";
import { unread } from "./plan-data";

/** A data source that a check holds: where it can't be read, the check fails, and the plan goes on. */
export function nestedInCheck(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  planned: PlannedStep,
): PlannedStep {
  const diagnostics = noteNestedRead(run, declaration.check!, planned.diagnostics);
  if (!hasErrors(planned.diagnostics)) return planned;
  const { attributes } = run.schema(declaration);
  const { provider } = declaration;
  const { config, sensitive } = instanceConfig(run, declaration, instance);
  const after = unread(config, attributes);
  const step: Step = {
    change: {
      ...instanceFacts(run, declaration, instance),
      action: "read",
      reason: "read_because_check_nested",
      before: null,
      after,
      beforeSensitive: sensitive,
      afterSensitive: sensitive,
    },
    provider,
    declared: { declaration, instance },
    object: undefined,
    config,
    sensitive,
    dependencies: [],
    createsBeforeDestroying: false,
  };
  return { step, diagnostics };
}

/** What a state keeps of something that is known in part: as under Terraform, null for what is not. */
export const knownSoFar = ({ attributes }: StoredState): StoredState => ({
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, isUnknown(value) ? null : value]),
  ),
});

/** What a check read for the plan it reads again when the plan is applied: it is about what is true then. */
export function readAgainInCheck(step: Step): Step {
  if (step.change.action === "read") return step;
  return {
    ...step,
    change: { ...step.change, action: "read", reason: "read_because_check_nested", before: null },
  };
}
