import type { AccessReport, AccessRequest, NotCounted } from "../../framework";
import type { StackRun } from "../run/stack-run";
import { isChange, plannedOf, priorOf, type Step } from "../steps/steps";

/**
 * Who gains and who loses access by the steps of a plan, as its providers describe it. Objects without a plan are not
 * counted.
 *
 * @param unplanned names of objects and declarations that could not be planned
 */
export async function describeAccess(
  run: StackRun,
  steps: readonly Step[],
  unplanned: readonly string[],
): Promise<AccessReport> {
  const changes = steps.filter(
    (step) => step.change.mode === "managed" && isChange(step) && step.change.sameAs === undefined,
  );
  const keys = [...new Set(changes.map(({ provider }) => provider))];
  const reports = await Promise.all(
    keys.map((key) => {
      const own = changes.filter(({ provider }) => provider === key);
      return run.configured(key).describeAccess?.(own.map(requestOf)) ?? { places: [], notCounted: [] };
    }),
  );
  return {
    places: reports.flatMap(({ places }) => places),
    notCounted: [
      ...reports.flatMap(({ notCounted }) => notCounted),
      ...[...new Set(unplanned)].sort().map(notPlanned),
    ],
  };
}

const requestOf = (step: Step): AccessRequest => ({
  type: step.change.type,
  address: step.change.address,
  prior: priorOf(step),
  planned: plannedOf(step),
  config: step.config,
});

const notPlanned = (what: string): NotCounted => ({ what, why: "it could not be planned" });
