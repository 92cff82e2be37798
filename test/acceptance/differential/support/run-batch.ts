import { serveReattach } from "../../../../src/plugin";
import { createProvider, PROVIDER_SOURCE } from "../../../../src/provider";
import { GO_PROVIDERS } from "../../../plugin/support/go-provider";
import type { Batch, BatchStep } from "./batch";
import { EmbeddedEngine } from "./embedded-engine";
import type { Engine, Planned } from "./engine";
import { fixtureFor, LiveService, TOKEN } from "./live-service";
import { normalLive, SERVICE } from "./normal-form";
import { normalState, type StateFile } from "./normal-state";
import { RealEngine } from "./real-engine";

/** What one step came to with one engine. */
export interface Result {
  readonly planned: Planned;
  /** Nothing where there was nothing to apply. */
  readonly applied: { readonly succeeded: boolean; readonly said: string } | undefined;
  readonly live: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
  /** What it would do, on its own service, with the state that the other engine wrote. */
  readonly takenOver: Planned | undefined;
}

export interface StepResults {
  readonly embedded: Result;
  readonly real: Result;
}

/** Runs the steps of a batch through both engines, each on a service of its own that began with the same fixture. */
export async function runBatch(program: string, { cases, steps }: Batch): Promise<StepResults[]> {
  const fixture = fixtureFor(cases);
  const mine = await LiveService.start(fixture);
  const theirs = await LiveService.start(fixture);
  // Terraform wants the types that objects move away from to be there.
  const reattached = await Promise.all(
    [createProvider(), ...GO_PROVIDERS].map((each) => serveReattach(each)),
  );
  const embedded = new EmbeddedEngine(mine.url);
  const real = new RealEngine(program, reattached, theirs.url);
  const results: StepResults[] = [];
  try {
    for (const step of steps) {
      const [one, other] = await Promise.all([run(embedded, mine, step), run(real, theirs, step)]);
      // What comes after a failure that was not meant would only hide it.
      if (step.fails === undefined) expectDone({ embedded: one, real: other });
      results.push({
        embedded: { ...one, takenOver: await takeOver(embedded, real, step) },
        real: { ...other, takenOver: await takeOver(real, embedded, step) },
      });
    }
    return results;
  } finally {
    embedded.remove();
    real.remove();
    await Promise.all([mine.close(), theirs.close(), ...reattached.map((each) => each.close())]);
  }
}

async function run(
  engine: Engine,
  service: LiveService,
  { configuration, variables, byHand, stateByHand, mode, targets, replace }: BatchStep,
): Promise<Omit<Result, "takenOver">> {
  for (const change of byHand) await change(service.byHand);
  if (stateByHand.length > 0) {
    const state = JSON.parse(engine.state() ?? JSON.stringify(EMPTY_STATE)) as StateFile;
    for (const change of stateByHand) change(state);
    engine.writeState(JSON.stringify(state));
  }
  engine.declare(withProvider(configuration, service.url), variables);
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

/** Only a step that both did to its end leaves nothing to do. */
async function takeOver(engine: Engine, other: Engine, step: BatchStep): Promise<Planned | undefined> {
  const state = other.state();
  if (state === undefined || step.fails !== undefined || step.targets !== undefined) return undefined;
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
