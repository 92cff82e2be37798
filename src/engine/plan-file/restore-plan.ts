import type { Plan } from "../plan/plan";
import type { Refreshed } from "../plan/refresh";
import type { Step } from "../plan/steps";
import type { PlanRecord } from "../plan-json/record";
import type { RunContext } from "../run/context";
import type { Json, State } from "../state/model";
import { GraphReader, type Restore } from "./graph-json";
import { schemaCalled } from "./save-plan";
import type { SavedPlan } from "./saved-plan";
import { stateParts } from "./state-references";
import { filledFrom, holdsWithheld, WITHHELD } from "./withheld";

/** What is told of a saved plan. Where something sensitive was left out, a text says so, the same for equal values. */
export function readRecord({ record }: SavedPlan, providers: RunContext["providers"]): PlanRecord {
  const schemas = schemaCalled(providers);
  const reader = new GraphReader((name, content) => {
    if (name === "$withheld") return { value: `(sensitive value ${String(content)})` };
    return name === "$schema" ? { value: required(schemas(String(content)), "schema") } : undefined;
  });
  return reader.read(record) as PlanRecord;
}

/**
 * The plan as it was made, on the state that it was made on. What was left out as sensitive is taken from that state,
 * or is worked out again when it is applied.
 */
export function restorePlan(saved: SavedPlan, context: RunContext, state: State | undefined): Plan {
  const record = readRecord(saved, context.providers);
  const reader = new GraphReader(restorer(context, state));
  reader.read(saved.record);
  const work = reader.read(saved.work) as Plan;
  const steps = work.steps.map(completeStep);
  return {
    ...work,
    changes: steps.map(({ change }) => change),
    drift: record.drift,
    outputs: record.outputs,
    diagnostics: record.diagnostics,
    priorState: state,
    steps,
    moved: work.moved.map(completeRefreshed),
  };
}

function restorer({ providers, configuration }: RunContext, state: State | undefined): Restore {
  const schemas = schemaCalled(providers);
  const partOfState = stateParts(state);
  const restored: Readonly<Record<string, (content: Json) => unknown>> = {
    $withheld: () => WITHHELD,
    $schema: (name) => required(schemas(String(name)), "schema"),
    $declaration: (address) => required(configuration.resources.get(String(address)), "declaration"),
    $state: partOfState,
  };
  return (name, content) => {
    const restore = Object.hasOwn(restored, name) ? restored[name] : undefined;
    return restore && { value: restore(content) };
  };
}

function required<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new TypeError(`The plan refers to a ${what} that is not there.`);
  return found;
}

function completeStep(step: Step): Step {
  const { change, object, private: bytes, config } = step;
  const stored = object?.instance;
  return {
    ...step,
    change: {
      ...change,
      before: filledFrom(change.before, stored?.attributes),
      after: filledFrom(change.after, undefined),
    },
    ...(bytes !== undefined && {
      private: {
        prior: filledFrom(bytes.prior, stored?.private),
        planned: filledFrom(bytes.planned, undefined),
      },
    }),
    config: filledFrom(config, undefined),
    ...((holdsWithheld([change.after, bytes?.planned]) || holdsWithheld(config)) && { isIncomplete: true }),
  };
}

function completeRefreshed(refreshed: Refreshed): Refreshed {
  const { object, before, live } = refreshed;
  return {
    ...refreshed,
    before: filledFrom(before, object.instance),
    live: filledFrom(live, object.instance),
  };
}
