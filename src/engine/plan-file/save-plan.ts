import type { Value, ValueObject } from "../../schema";
import type { Json, JsonObject } from "../../state";
import { nameOfStep } from "../plan/planned-steps";
import { attributesOf } from "../plan-json/changes";
import type { RunContext } from "../run/context";
import type { ExecutablePlan } from "../steps/steps";
import { givenEphemerals } from "./check-basis";
import { configurationDigest, hashValue, stateFingerprint } from "./fingerprints";
import { recordJson } from "./record-json";
import type { RecordJson, SavedPlan } from "./schema";
import { servicesOf } from "./services";
import { holdsWithheld, type Secrets, secretsOf } from "./value-json";

/** Converts a plan for a file, without sensitive values. */
export async function savePlan(context: RunContext, plan: ExecutablePlan): Promise<SavedPlan> {
  const { configuration, targets = [], excludes = [], replace = [] } = context;
  const { record, secrets, guarded } = describe(context, plan);
  const ephemeral = givenEphemerals(context);
  return {
    targets: [...targets],
    ...(excludes.length > 0 && { excludes: [...excludes] }),
    ...(context.containers !== undefined && { containers: [...context.containers] }),
    ...(context.share !== undefined && {
      share: { number: context.share.number, total: context.share.total },
    }),
    ...(replace.length > 0 && { replace: [...replace] }),
    ...(context.allowLeaving !== undefined && { allowLeaving: context.allowLeaving }),
    ...(context.importsExisting && { importsExisting: true as const }),
    ...(context.refresh === false && { refresh: false as const }),
    basis: {
      state: stateFingerprint(plan.priorState),
      configuration: configurationDigest(configuration),
      services: { ...(await servicesOf(context)) },
    },
    ...(ephemeral.length > 0 && { ephemeral }),
    guarded: Object.fromEntries(guarded.map(([name, value]) => [name, hashValue(value)])),
    record,
    observed: observedOf(plan, secrets),
  };
}

/** The record of a plan, as a file would contain it. */
export const recordOf = (context: RunContext, plan: ExecutablePlan): RecordJson =>
  describe(context, plan).record;

function describe(context: RunContext, plan: ExecutablePlan) {
  const { sensitiveVariables, variables } = plan.basis;
  const secrets = secretsOf(plan, (type) => attributesOf(context.providers, type) ?? {});
  const isShown = (name: string, value: Value) =>
    !sensitiveVariables.includes(name) && !holdsWithheld(secrets.withhold(value));
  const guarded = Object.entries(variables as ValueObject).filter(([name, value]) => !isShown(name, value));
  return { record: recordJson(plan, secrets), secrets, guarded };
}

/** Observations with sensitive values are left out: a recovery then does not know what the place held. */
function observedOf({ steps }: ExecutablePlan, secrets: Secrets): SavedPlan["observed"] {
  return Object.fromEntries(
    steps.flatMap((step) => {
      const { observed } = step;
      if (observed === undefined) return [];
      const { ids, found } = observed;
      const kept = secrets.withhold([...ids, found ?? null]) as Json[];
      if (holdsWithheld(kept)) return [];
      return [[nameOfStep(step), { ids: [...ids], ...(found && { found: kept.at(-1) as JsonObject }) }]];
    }),
  );
}
