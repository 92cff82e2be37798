import { hasErrors } from "../../diagnostics";
import type { StoredState } from "../../framework";
import { DYNAMIC, type ResourceDeclaration, unknown } from "../../language";
import { evaluateNodes } from "../data/evaluate-nodes";
import type { PlanMode } from "../model/plan";
import { instanceConfig } from "../run/instance-config";
import { expand } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import type { Targets } from "../run/targets";
import type { Identities } from "../steps/identities";
import type { ObjectPlaces } from "./object-places";
import type { PlannedSteps } from "./planned-steps";

/** A declared instance of which the plan does not speak, and which may want an object that the state has elsewhere. */
export interface Unplanned {
  readonly address: string;
  readonly type: string;
  readonly provider: string;
  /** What it declares; nothing where that can't be worked out. */
  readonly declared: StoredState | undefined;
  /** What it wants; nothing where that is not known. */
  readonly identity: string | undefined;
  /** `left out` by `--target`; `failed` where it, or what it depends on, could not be planned. */
  readonly why: "left out" | "failed";
}

export interface UnplannedSurroundings {
  readonly run: StackRun;
  readonly mode: PlanMode;
  readonly targets: Targets;
  readonly steps: PlannedSteps;
  readonly identities: Identities;
  readonly places: ObjectPlaces;
  /** Nodes of the graph that were visited. */
  readonly visited: ReadonlySet<string>;
  /** Those that failed, and those that were skipped for that. */
  readonly blocked: ReadonlySet<string>;
}

/**
 * The declared instances without a step. Those that want the object which the state has at their own address stay as
 * they are, and are left out here. Of what `--target` leaves out, data sources are read for the types of what ends alone.
 *
 * @param ending the types of what ends
 */
export async function unplannedDeclarations(
  surroundings: UnplannedSurroundings,
  ending: ReadonlySet<string>,
): Promise<Unplanned[]> {
  const { run, mode, targets, steps, places, visited, blocked } = surroundings;
  const declarations = [...run.context.configuration.resources.values()].filter(
    ({ mode: kind, address }) =>
      kind === "managed" && (blocked.has(address) || (run.context.targets ?? []).length > 0),
  );
  const needed = declarations
    .filter(({ address }) => !visited.has(address) && !blocked.has(address))
    .filter(({ type, address }) => ending.has(type) || !readsData(run, address))
    .flatMap(({ address }) => run.graph.dependenciesOf(address));
  await evaluateNodes(run, needed, places.objects.current, new Set([...visited, ...blocked]));
  // What a declaration needs and could not be read is not known; the rest of it may tell what it wants.
  for (const { address } of run.context.configuration.resources.values())
    if (blocked.has(address)) run.evaluation.set(address, unknown(DYNAMIC));
  const held = new Map(places.managed.map((object) => [object.address, object]));
  const found: Unplanned[] = [];
  for (const declaration of declarations)
    for (const { address, declared } of instancesOf(run, declaration)) {
      const isPlanned = visited.has(declaration.address) || blocked.has(declaration.address);
      const isLeftOut = !isPlanned || !targets.object(address);
      // A destroy makes nothing of what is declared.
      if (steps.has(address) || (!isLeftOut && mode !== "normal")) continue;
      const { type, provider } = declaration;
      const own = held.get(address);
      const identity = declared && (await surroundings.identities.identify(provider, type, declared));
      const isItsOwn = own !== undefined && (await surroundings.identities.identifyObject(own)) === identity;
      if (isItsOwn || (own !== undefined && identity === undefined)) continue;
      const why = isLeftOut ? "left out" : "failed";
      found.push({ address, type, provider, declared, identity, why });
    }
  return found;
}

/** Whether a declaration depends on a data source. */
const readsData = (run: StackRun, address: string): boolean =>
  [...run.graph.closure(run.graph.dependenciesOf(address))].some((id) => id.startsWith("data."));

/** The instances of a declaration, as far as they can be worked out; the declaration itself where they can't. */
function instancesOf(run: StackRun, declaration: ResourceDeclaration) {
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  if (hasErrors(diagnostics)) return [{ address: declaration.address, declared: undefined }];
  return instances.map((instance) => {
    const { config, diagnostics: problems } = instanceConfig(run, declaration, instance);
    return { address: instance.address, declared: hasErrors(problems) ? undefined : { attributes: config } };
  });
}
