import { type Diagnostic, error, hasErrors } from "../../diagnostics";
import { parseJson, stringifyJson } from "../../json";
import type { ValueObject } from "../../schema";
import type { State } from "../../state";
import { createPlan } from "../plan/create-plan";
import { nameOfStep } from "../plan/planned-steps";
import type { RunContext } from "../run/context";
import { prepare } from "../run/prepare";
import type { StackOfApp } from "../stacks/app-stacks";
import type { ExecutablePlan } from "../steps/executable-plan";
import { type Difference, differenceBetween } from "./difference";
import { readDiagnostics } from "./record-json";
import { RecordedPlan } from "./recorded-plan";
import { recordOf } from "./save-plan";
import type { RecordJson, SavedPlan } from "./schema";
import { readValue } from "./value-json";

/** A plan that may be applied, or why it may not. */
export interface Confirmed {
  readonly plan?: ExecutablePlan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans a saved plan again, from the configuration, the state and the service, of which only what the plan changes is read
 * (`RecordedPlan`). The result is applied only if it equals the saved plan exactly: the file alone determines nothing.
 *
 * @param context with the variables of the plan
 * @param state the one that the plan is based on
 */
export async function confirmPlan(
  saved: SavedPlan,
  context: RunContext,
  state: State | undefined,
  stackOfApp?: StackOfApp,
): Promise<Confirmed> {
  const { record } = saved;
  const { onEvent: _, ...quiet } = context;
  const again: RunContext = {
    ...quiet,
    recorded: new RecordedPlan(record, prepare(context).graph),
    replace: saved.replace ?? [],
    importsExisting: saved.importsExisting === true,
    allowLeaving: saved.allowLeaving,
    ...(saved.refresh === false && { looksForExisting: false as const }),
  };
  const plan = await createPlan(again, state, record.mode, stackOfApp);
  if (context.stop?.aborted) return { diagnostics: plan.diagnostics };
  const recordedDiagnostics = readDiagnostics(record);
  const present = roundTrip(recordOf(again, plan));
  // Without a refresh a plan shows no live values that its creates replace.
  const difference = differenceBetween(
    record,
    saved.refresh === false ? withoutReplaced(present, record) : present,
  );
  if (difference !== undefined)
    return {
      diagnostics: [...newErrors(plan.diagnostics, recordedDiagnostics), planDiffers(difference, saved)],
    };
  if (!plan.applicable) return { diagnostics: plan.diagnostics };
  return {
    plan: { ...plan, diagnostics: recordedDiagnostics, steps: withObserved(plan, saved) },
    diagnostics: [],
  };
}

/** The record as it would be read from a file, so that values JSON can't distinguish are equal. */
const roundTrip = (record: RecordJson): RecordJson =>
  parseJson(stringifyJson(record)) as unknown as RecordJson;

/** Without the live values of the changes for which the file has none. */
function withoutReplaced(present: RecordJson, { changes }: RecordJson): RecordJson {
  const withNone = new Set(changes.flatMap(({ address, replaced }) => (replaced ? [] : [address])));
  const comparable = ({ replaced: _, ...change }: RecordJson["changes"][number]) => change;
  return {
    ...present,
    changes: present.changes.map((one) => (withNone.has(one.address) ? comparable(one) : one)),
  };
}

/** Restores the observations at the places of new objects, which are not made again. */
const withObserved = ({ steps }: ExecutablePlan, { observed }: SavedPlan): ExecutablePlan["steps"] =>
  steps.map((step) => {
    const name = nameOfStep(step);
    if (step.change.action !== "create" || step.observed !== undefined || !Object.hasOwn(observed, name))
      return step;
    const { ids, found } = observed[name]!;
    return { ...step, observed: { ids, ...(found && { found: readValue(found) as ValueObject }) } };
  });

/** Errors that the plan did not have: they best explain why it differs now. */
function newErrors(found: readonly Diagnostic[], recordedDiagnostics: readonly Diagnostic[]): Diagnostic[] {
  const key = ({ code, address }: Diagnostic) => `${code} ${address}`;
  const known = new Set(recordedDiagnostics.map(key));
  return found.filter((one) => hasErrors([one]) && !known.has(key(one)));
}

const planDiffers = (
  { what, address, attribute, isLive = false }: Difference,
  { refresh }: SavedPlan,
): Diagnostic =>
  error({
    ...(isLive
      ? {
          code: "saved_plan_service_moved_on",
          summary: "Live settings have changed since the plan",
          detail:
            `What is live now differs from the file: ${what}. ` +
            `Nothing was sent. Somebody changed the settings after the plan, or the file. Plan again${refresh === false ? " without --refresh=false" : ""}.`,
        }
      : {
          code: "saved_plan_differs",
          summary: "Saved plan does not fit the configuration",
          detail:
            `The plan computed from the configuration, the state and the service differs from the file: ${what}. ` +
            "Nothing was sent. The file or its inputs have changed. Plan again.",
        }),
    ...(address !== undefined && { address }),
    ...(attribute !== undefined && { attribute: [attribute] }),
  });
