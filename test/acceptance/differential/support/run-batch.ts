import { serveReattach } from "../../../../src/plugin";
import { createProvider, PROVIDER_SOURCE } from "../../../../src/provider";
import { GO_PROVIDERS } from "../../../plugin/support/go-provider";
import type { Batch, BatchStep } from "./batch";
import { EmbeddedEngine } from "./embedded-engine";
import type { Applied, Declared, Engine, Planned } from "./engine";
import { fixtureFor, LiveService, TOKEN } from "./live-service";
import { normalLive, SERVICE } from "./normal-form";
import { normalState, type StateFile } from "./normal-state";
import { RealEngine } from "./real-engine";
import { refuseSharedPlaces } from "./shared-places";

/** The result of one step with one engine. */
export interface Result {
  readonly planned: Planned;
  /** Undefined if there was nothing to apply. */
  readonly applied: { readonly succeeded: boolean; readonly said: string } | undefined;
  readonly live: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
  /** The plan that this engine makes from the state of the other engine. Undefined if the step failed or was partial. */
  readonly takenOver: Planned | undefined;
}

export interface StepResults {
  readonly embedded: Result;
  readonly real: Result;
}

/** Runs the steps of a batch with both engines. Each engine has a separate service; both services have the same fixture. */
export async function runBatch(program: string, { cases, steps }: Batch): Promise<StepResults[]> {
  const fixture = fixtureFor(cases);
  const mine = await LiveService.start(fixture);
  const theirs = await LiveService.start(fixture);
  // The test also serves other providers. If a case moves an object from a type of another provider, Terraform needs the
  // schema of this type.
  const reattached = await Promise.all(
    [createProvider(), ...GO_PROVIDERS].map((each) => serveReattach(each)),
  );
  const embedded = { engine: new EmbeddedEngine(), service: mine };
  const real = { engine: new RealEngine(program, reattached), service: theirs };
  const results: StepResults[] = [];
  try {
    await theirs.numberFurther();
    for (const step of steps) {
      // Both engines read some files that the manual changes write. All manual changes therefore end before an engine runs.
      await Promise.all([changeByHand(embedded, step), changeByHand(real, step)]);
      const [one, other] = await Promise.all([run(embedded, step), run(real, step)]);
      if (one.planned.plan !== undefined) refuseSharedPlaces(one.planned.plan);
      // The test stops after an unexpected failure, because failures of later steps would hide this failure.
      if (step.fails === undefined) expectDone({ embedded: one, real: other });
      results.push({
        embedded: { ...one, takenOver: await takeOver(embedded, real, step) },
        real: { ...other, takenOver: await takeOver(real, embedded, step) },
      });
    }
    return results;
  } finally {
    embedded.engine.remove();
    real.engine.remove();
    await Promise.all([mine.close(), theirs.close(), ...reattached.map((each) => each.close())]);
  }
}

/** Runs a batch with the embedded engine. Each plan is saved to a file, and applied from this file. */
export async function runSaved({ cases, steps }: Batch): Promise<readonly Applied[]> {
  const service = await LiveService.start(fixtureFor(cases));
  const engine = new EmbeddedEngine();
  const all: Applied[] = [];
  try {
    for (const step of steps) {
      await changeByHand({ engine, service }, step);
      const { mode, targets, replace } = step;
      engine.declare(declaredFor(service, step));
      const { plan } = await engine.plan({ mode, targets, replace });
      all.push(plan === undefined ? { succeeded: true, said: "" } : await engine.applySaved());
    }
    return all;
  } finally {
    engine.remove();
    await service.close();
  }
}

/** An engine and its service. */
interface Side {
  readonly engine: Engine;
  readonly service: LiveService;
}

async function changeByHand({ engine, service }: Side, { byHand, stateByHand }: BatchStep): Promise<void> {
  for (const change of byHand) await change(service.byHand);
  if (stateByHand.length === 0) return;
  const state = JSON.parse(engine.state() ?? JSON.stringify(EMPTY_STATE)) as StateFile;
  for (const change of stateByHand) change(state);
  engine.writeState(JSON.stringify(state));
}

async function run({ engine, service }: Side, step: BatchStep): Promise<Omit<Result, "takenOver">> {
  const { mode, targets, replace } = step;
  engine.declare(declaredFor(service, step));
  const planned = await engine.plan({ mode, targets, replace });
  const applied = planned.plan === undefined ? undefined : await engine.apply();
  return {
    planned,
    applied,
    live: normalLive(await service.everything(), service.url) as Result["live"],
    state: normalState(engine.state(), service.url),
  };
}

function expectDone(both: Readonly<Record<string, Pick<Result, "planned" | "applied">>>): void {
  const said = Object.entries(both).flatMap(([name, { planned, applied }]) =>
    applied?.succeeded ? [] : [`${name}: ${applied?.said ?? planned.refusal}`],
  );
  if (said.length > 0) throw new Error(`A step was not done.\n${said.join("\n")}`);
}

/**
 * Plans with the state of the other engine. Returns undefined if the step failed or was partial, because the plan after
 * such a step is not empty.
 */
async function takeOver({ engine }: Side, other: Side, step: BatchStep): Promise<Planned | undefined> {
  const state = other.engine.state();
  if (state === undefined || step.fails !== undefined || step.targets !== undefined) return undefined;
  // The state contains ids of the other engine's service. These ids may differ on this engine's service. This engine
  // therefore plans against the other engine's service.
  engine.declare(declaredFor(other.service, step));
  return engine.planFrom(state, { mode: step.mode });
}

const EMPTY_STATE = {
  version: 4,
  terraform_version: "1.11.4",
  serial: 1,
  lineage: "5d1e2c4a-0000-4000-8000-000000000002",
  outputs: {},
  resources: [],
};

const declaredFor = ({ url }: LiveService, { configuration, variables }: BatchStep): Declared => ({
  configuration: withProvider(configuration, url),
  variables,
  serviceUrl: url,
});

const withProvider = (configuration: object, serviceUrl: string) => {
  const text = JSON.stringify(configuration).replaceAll(SERVICE, serviceUrl);
  const { terraform = {}, provider = {}, ...rest } = JSON.parse(text) as Record<string, object>;
  const { steward = [], ...others } = provider as Record<string, readonly object[]>;
  const settings = { base_url: serviceUrl, token: TOKEN };
  const aliases = steward.map((alias) => ({ ...settings, ...alias }));
  return {
    terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } }, ...terraform },
    provider: { ...others, steward: [settings, ...aliases] },
    ...rest,
  };
};
