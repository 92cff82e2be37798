import {
  apply,
  type Diagnostic,
  type DriftReport,
  drift,
  type EngineOptions,
  editState,
  importObject,
  type LoadedStacks,
  loadStacks,
  type MoveChoice,
  moveBetweenStacks,
  type Plan,
  plan,
  removeFromState,
  statePlaces,
} from "../../../src/engine";
import { environmentOf, stacksOptions } from "../../../src/engine/library/collect";
import type { Provider } from "../../../src/framework";
import { createProvider } from "../../../src/provider";
import { RESOURCES } from "../../../src/provider/registry";
import type { Operation, Run, Story } from "../story/story";
import { type App, addressOf, importIdOf } from "../world/app";
import { MAINTAINER_TOKEN, TOKEN } from "../world/company";
import { findByName } from "../world/edit";
import { type Kind, TYPES } from "../world/objects";
import {
  applyingSaved,
  failedWith,
  hasErrors,
  NOTHING,
  type Outcome,
  type Performed,
  repairing,
  type SavedPlans,
  SOURCE,
  saving,
  stepwise,
} from "./stepwise";
import { Terraform } from "./terraform";
import { type Call, traced } from "./trace";

const provider = createProvider();

/** Returns a provider in which the resources of one kind do not declare the access that they grant. */
const withoutAccess = (kind: Kind): Provider =>
  createProvider(
    RESOURCES.map((resource) => {
      const { access: _, ...rest } = resource;
      return `steward_${resource.type}` === TYPES[kind] ? rest : resource;
    }),
  );

export interface RunnerOptions
  extends Pick<
    Run,
    "patience" | "failFast" | "parallelism" | "describes" | "isMaintainer" | "importExisting" | "replaces"
  > {
  readonly saved: SavedPlans;
  readonly host: Story["host"];
  readonly uncounted: Story["uncounted"];
  /** Called each time the model of Terraform calls the provider. */
  readonly onCall: ((call: Call) => void) | undefined;
}

/** Runs an operation in the current process, as the command of the same name does. */
export async function operate(app: App, operation: Operation, given: RunnerOptions): Promise<Outcome> {
  const told: string[] = [];
  const options: EngineOptions = {
    providers: [given.uncounted === undefined ? provider : withoutAccess(given.uncounted)],
    folder: "/app",
    env: { STEWARD_TOKEN: given.isMaintainer ? MAINTAINER_TOKEN : TOKEN, TF_HTTP_PASSWORD: TOKEN },
    lockTimeout: given.patience ?? 0,
    failFast: given.failFast,
    parallelism: given.parallelism,
    ...("stacks" in operation && operation.stacks !== undefined && { stacks: operation.stacks }),
  };
  const tell = (what: unknown): void => void told.push(JSON.stringify(what) ?? "");
  const result =
    given.host === "terraform"
      ? await underTerraform(app, operation, given, tell)
      : await perform(app, operation, options, given, tell);
  return { ...result, told: told.join("\n") };
}

async function perform(
  app: App,
  operation: Operation,
  options: EngineOptions,
  given: RunnerOptions,
  tell: (what: unknown) => void,
): Promise<Performed> {
  const { importExisting } = given;
  const replace = given.replaces?.flatMap((name) => findByName(app, name) ?? []).map(addressOf);
  switch (operation.do) {
    case "plan":
      return watched(
        plan(SOURCE, {
          ...options,
          importExisting,
          replace,
          ...(given.describes && { access: "whole", rights: true }),
        }),
        tell,
        false,
      );
    case "apply":
      return watched(
        apply(SOURCE, { ...options, importExisting, replace, requests: given.describes }),
        tell,
        true,
      );
    case "destroy":
      return watched(apply(SOURCE, { ...options, mode: "destroy", requests: given.describes }), tell, true);
    case "drift":
      return watched(drift(SOURCE, { ...options, coverage: given.describes }), tell, false);
    case "import": {
      const declared = findByName(app, operation.name);
      if (declared === undefined) return NOTHING;
      const address = addressOf(declared);
      return watched(
        importObject(SOURCE, { ...options, address, id: operation.id ?? importIdOf(declared) }),
        tell,
        false,
      );
    }
    case "move":
      return move(app, operation, options);
    case "move declared":
      return moveDeclared(operation, options);
    case "unlock":
      return unlock(options);
    case "forget":
      return forget(operation, options);
    case "repair":
      return stepwise(options, tell, repairing());
    case "save":
      return stepwise(options, tell, saving(given));
    case "apply saved":
      return stepwise(options, tell, applyingSaved(given.saved));
  }
}

async function underTerraform(
  app: App,
  operation: Operation,
  { onCall }: RunnerOptions,
  tell: (what: unknown) => void,
): Promise<Performed> {
  const watchedProvider = onCall === undefined ? provider : traced(provider, onCall);
  const result = await new Terraform(watchedProvider, app).run(operation.do);
  tell(result);
  const { diagnostics, changes, hasApplied } = result;
  const hasChanges = changes.some(({ action }) => action !== "no-op");
  const succeeded = !hasErrors(diagnostics);
  // The rules read only these fields of a plan, and a plan of Terraform also has them.
  const planned = { changes, hasChanges, complete: succeeded, applicable: succeeded } as unknown as Plan;
  const plans = [{ stack: app.stacks[0]!.name, plan: planned, isApplied: hasApplied }];
  return { succeeded, diagnostics, plans, drifted: undefined };
}

interface LibraryResult {
  readonly succeeded: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly stacks: readonly {
    readonly stack: string | undefined;
    readonly plan?: Plan | undefined;
    readonly done?: unknown;
    readonly report?: Pick<DriftReport, "drifted" | "scans"> | undefined;
  }[];
}

async function watched(
  run: { readonly events: AsyncIterable<unknown>; readonly result: Promise<LibraryResult> },
  tell: (what: unknown) => void,
  applies: boolean,
): Promise<Performed> {
  const listening = (async () => {
    for await (const event of run.events) tell(event);
  })();
  const { succeeded, diagnostics, stacks } = await run.result;
  await listening;
  tell(diagnostics);
  const reports = stacks.flatMap(({ report }) => report ?? []);
  return {
    succeeded,
    diagnostics,
    plans: stacks.flatMap(({ stack, plan: planned, done }) =>
      planned === undefined
        ? []
        : [{ stack: stack!, plan: planned, isApplied: applies && done !== undefined }],
    ),
    drifted: stacks.some((one) => "report" in one)
      ? reports.flatMap(({ drifted }) => drifted.map(({ change }) => change.address))
      : undefined,
    driftedObjects: stacks.flatMap(({ stack, report }) =>
      (report?.drifted ?? []).map((object) => ({ stack: stack!, object })),
    ),
    unlisted: reports
      .flatMap(({ scans }) => scans.flatMap(({ unmanaged }) => unmanaged))
      .flatMap(({ type, unlisted }) => (unlisted === undefined ? [] : type)),
  };
}

async function move(
  app: App,
  { name, as = name, from, to, addresses: given }: Extract<Operation, { do: "move" }>,
  options: EngineOptions,
): Promise<Performed> {
  if (given !== undefined) return moveBetween(from, to, options, () => ({ addresses: given }));
  const declared = findByName(app, as) ?? findByName(app, name);
  if (declared === undefined) return NOTHING;
  const addresses = [addressOf({ ...declared, name }), addressOf({ ...declared, name: as })] as const;
  return moveBetween(from, to, options, () => ({ addresses }));
}

const moveDeclared = (
  { from, to }: Extract<Operation, { do: "move declared" }>,
  options: EngineOptions,
): Promise<Performed> => {
  const { providers, variables } = stacksOptions(options, () => {});
  return moveBetween(from, to, options, (loaded) => ({ declared: { loaded, providers, variables } }));
};

async function moveBetween(
  from: string,
  to: string,
  options: EngineOptions,
  choose: (loaded: LoadedStacks) => MoveChoice,
): Promise<Performed> {
  const environment = environmentOf(options);
  try {
    const loaded = await loadStacks(SOURCE, [], environment);
    const [source, target] = [from, to].map((one) => loaded.stacks.find((stack) => stack.name === one));
    if (source === undefined || target === undefined) return NOTHING;
    await moveBetweenStacks({ source, target, ...choose(loaded) }, environment, {
      timeoutMs: options.lockTimeout ?? 0,
      onNotice: () => {},
    });
    return NOTHING;
  } catch (problem) {
    return failedWith(problem);
  }
}

/** Releases every lock. The caller must know that no run is active. */
async function unlock(options: EngineOptions): Promise<Performed> {
  const environment = environmentOf(options);
  const loaded = await loadStacks(SOURCE, [], environment);
  for (const { backend } of await statePlaces(loaded, environment)) {
    try {
      const free = await backend.lock({ operation: "unlock" });
      await free();
    } catch (problem) {
      for (const { action } of failedWith(problem).diagnostics)
        if (action?.kind === "unlock") await backend.unlock(action.id);
    }
  }
  return NOTHING;
}

async function forget(
  { address, stack }: Extract<Operation, { do: "forget" }>,
  options: EngineOptions,
): Promise<Performed> {
  const environment = environmentOf(options);
  try {
    const loaded = await loadStacks(SOURCE, [stack], environment);
    const [place] = await statePlaces(loaded, environment);
    const edit = { operation: "state rm", timeoutMs: options.lockTimeout ?? 0, onNotice: () => {} };
    await editState(place!.backend, edit, (state) => removeFromState(state, [address]));
    return NOTHING;
  } catch (problem) {
    return failedWith(problem);
  }
}
