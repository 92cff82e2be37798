import { hasErrors } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import { isUnknown } from "../../schema";
import { reportNestedRead } from "../checks/check-declarations";
import { instanceConfig } from "../run/instance-config";
import type { Instance } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import { changeOf } from "../steps/change-metadata";
import type { PlannedStep, Step } from "../steps/steps";
import { deferredValues } from "./plan-data";

/** Plans a data source nested in a check. If it can't be read, the check fails and the plan continues. */
export function planNestedData(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  planned: PlannedStep,
): PlannedStep {
  const diagnostics = reportNestedRead(run, declaration.check!, planned.diagnostics);
  if (!hasErrors(planned.diagnostics)) return planned;
  const { attributes } = run.schema(declaration);
  const { provider } = declaration;
  const { config, sensitive } = instanceConfig(run, declaration, instance);
  const after = deferredValues(config, attributes);
  const step: Step = {
    change: {
      ...changeOf(run, declaration, instance, {
        action: "read",
        before: null,
        after,
        beforeSensitive: sensitive,
        afterSensitive: sensitive,
      }),
      reason: "read_because_check_nested",
    },
    provider,
    declared: { declaration, instance },
    object: undefined,
    config,
    sensitive,
    dependencies: [],
    createBeforeDestroy: false,
  };
  return { step, diagnostics };
}

/** The known attributes of a state. As under Terraform, the state stores null for unknown ones. */
export const unknownsAsNull = ({ attributes }: StoredState): StoredState => ({
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, isUnknown(value) ? null : value]),
  ),
});

/** Reads a check's data source again at apply: the check is about the service at that time. */
export function rereadAtApply(step: Step): Step {
  if (step.change.action === "read") return step;
  return {
    ...step,
    change: { ...step.change, action: "read", reason: "read_because_check_nested", before: null },
  };
}
