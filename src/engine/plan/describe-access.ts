import type {
  AccessOptions,
  AccessReport,
  AccessRequest,
  ConfiguredProvider,
  NotCounted,
  RightsReport,
} from "../../framework";
import { groupBy } from "../../schema";
import type { StackRun } from "../run/stack-run";
import { isChange, plannedOf, priorOf, type Step } from "../steps/steps";

/** Names of objects and declarations that could not be planned. */
type Unplanned = readonly string[];

/** Who gains and who loses access by the steps of a plan, as its providers describe it. Objects without a plan are not counted. */
export async function describeAccess(
  run: StackRun,
  steps: readonly Step[],
  unplanned: Unplanned,
  options: AccessOptions,
): Promise<AccessReport> {
  const reports = await ofProviders(
    run,
    steps,
    (provider, changes) => provider.describeAccess?.(changes, options),
    options.isWhole,
  );
  return {
    places: reports.flatMap(({ places }) => places),
    touched: reports.flatMap(({ touched = [] }) => touched),
    notCounted: [...reports.flatMap(({ notCounted }) => notCounted), ...notPlanned(unplanned)],
  };
}

/** The rights that the steps of a plan need, as its providers describe them. */
export async function describeRights(
  run: StackRun,
  steps: readonly Step[],
  unplanned: Unplanned,
): Promise<RightsReport> {
  const reports = await ofProviders(run, steps, (provider, changes) => provider.describeRights?.(changes));
  return {
    rights: reports.flatMap(({ rights }) => rights),
    notKnown: [...reports.flatMap(({ notKnown }) => notKnown), ...notPlanned(unplanned)],
  };
}

async function ofProviders<Report>(
  run: StackRun,
  steps: readonly Step[],
  ask: (provider: ConfiguredProvider, changes: readonly AccessRequest[]) => Promise<Report> | undefined,
  includesUnchanged = false,
): Promise<Report[]> {
  const changes = steps.filter(
    (step) =>
      step.change.mode === "managed" &&
      (isChange(step) || (includesUnchanged && step.change.action === "no-op")) &&
      step.change.sameAs === undefined,
  );
  return askByService(
    run,
    changes.map((step) => ({ provider: step.provider, request: requestOf(step) })),
    ask,
  );
}

/** Asks a provider of each service about all changes there. */
export async function askByService<Report>(
  run: StackRun,
  changes: readonly { readonly provider: string; readonly request: AccessRequest }[],
  ask: (provider: ConfiguredProvider, changes: readonly AccessRequest[]) => Promise<Report> | undefined,
): Promise<Report[]> {
  // What several configurations of one service change is described together: one may admit whom another one lets deploy.
  const byService = groupBy(changes, ({ provider }) => serviceOf(run, provider));
  const reports = await Promise.all(
    [...byService.values()].map((all) =>
      ask(
        run.configured(all[0]!.provider),
        all.map(({ request }) => request),
      ),
    ),
  );
  return reports.filter((report) => report !== undefined);
}

/** The service of a provider configuration; the configuration itself while the service is not known. */
function serviceOf(run: StackRun, key: string): string {
  const { service } = run.configured(key);
  return service === undefined ? key : `${run.source(key)} ${service}`;
}

const requestOf = (step: Step): AccessRequest => ({
  type: step.change.type,
  address: step.change.address,
  prior: priorOf(step),
  planned: plannedOf(step),
  config: step.config,
});

const notPlanned = (unplanned: Unplanned): NotCounted[] =>
  [...new Set(unplanned)].sort().map((what) => ({ what, why: "it could not be planned" }));
