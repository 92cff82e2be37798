import { type Diagnostic, DiagnosticError, error, fail, hintFor, LIST_OBJECTS } from "../../diagnostics";
import { resourceAddress } from "../../language";
import { withoutKey } from "../declarations/address-keys";
import { type Node, providerNode } from "../declarations/declarations";
import { Graph, reached } from "../declarations/graph";
import type { StateObject, StateObjects } from "../objects/objects";
import type { Restriction, RunContext } from "../stack-run/context";
import type { StackRun } from "../stack-run/stack-run";

/** The selection by `--target` or `--exclude`. Without these options, everything is selected. */
export interface Targets {
  /** Returns the selected declarations with their dependencies. */
  graph(graph: Graph<Node>): Graph<Node>;
  /** Returns whether the instance, or the object in the state, at an address is selected. */
  isSelected(address: string): boolean;
  /**
   * Diagnostics for addresses at which there is neither a declaration nor an object. All other addresses still select objects.
   */
  readonly unknown: readonly Diagnostic[];
}

type Selection = Omit<Targets, "unknown">;
type Objects = ReadonlyMap<string, StateObject[]>;

/** The fields of a run that the selection of targets needs. */
interface Selecting extends Pick<StackRun, "graph" | "leftOut" | "restriction"> {
  readonly isDeclaredElsewhere: RunContext["isDeclaredElsewhere"];
}

export function selectTargets(
  run: Selecting,
  { current: objects, foreign }: Pick<StateObjects, "current" | "foreign">,
  { destroys = false } = {},
): Targets {
  const { restriction } = run;
  if (restriction === undefined) return { graph: (graph) => graph, isSelected: () => true, unknown: [] };
  const { option, addresses } = restriction;
  if (option === "the selection of paths")
    return {
      graph: (graph) => graph,
      isSelected: (address) => !run.leftOut!.has(address),
      unknown: [],
    };
  const unknown = new Map<string, Diagnostic>();
  for (const address of addresses) {
    const resource = withoutKey(address);
    const isElsewhere = option === "--exclude" && run.isDeclaredElsewhere?.(resource) === true;
    if (run.graph.has(resource) || objects.has(resource) || isElsewhere) continue;
    const known = [...run.graph.ids.filter(isResource), ...objects.keys()];
    if (!foreign.some((one) => resourceAddress(one) === resource)) {
      const problem = unknownAddress(restriction, address, known);
      // An unknown address of `--exclude` is not ignored, because the plan would change the object that the user wants to
      // exclude.
      if (option === "--exclude") throw new DiagnosticError([problem]);
      unknown.set(address, problem);
    } else if (option === "--target") foreignTarget(address);
  }
  // If no address is known, there is nothing to plan.
  if (unknown.size === addresses.length) throw new DiagnosticError([...unknown.values()]);
  const given = addresses.filter((address) => !unknown.has(address));
  const select = option === "--exclude" ? selectOthers : selectNamed;
  return { ...select(run, objects, given, destroys), unknown: [...unknown.values()] };
}

/** Selects the targets and their dependencies. */
function selectNamed(
  run: Selecting,
  objects: Objects,
  targets: readonly string[],
  isDestroy: boolean,
): Selection {
  const resources = new Set(targets.map(withoutKey));
  // The graph contains no undeclared objects, so the provider configuration of an undeclared target is selected separately.
  const providers = [...resources].flatMap((address) =>
    run.graph.has(address) ? [] : (objects.get(address) ?? []).map(({ provider }) => providerNode(provider)),
  );
  const declarations = run.graph.closure([...resources, ...providers]);
  const isNamed = nameTest(targets);
  const deleted = isDestroy ? stateDependents(resources, objects) : undefined;
  return {
    graph: (whole) =>
      deleted === undefined
        ? whole.subgraph(new Set([...declarations, ...outputsOf(whole, declarations)]))
        : whole.subgraph(whole.closure([...declarations, ...deleted])),
    isSelected(address) {
      const resource = withoutKey(address);
      return resources.has(resource) ? isNamed(address) : (deleted ?? declarations).has(resource);
    },
  };
}

/**
 * Selects everything except the excluded objects and their dependents. A destroy also keeps the dependencies of excluded
 * objects, because a dependency must exist as long as its dependents.
 */
function selectOthers(
  run: Selecting,
  objects: Objects,
  excludes: readonly string[],
  isDestroy: boolean,
): Selection {
  const resources = new Set(excludes.map(withoutKey));
  const isNamed = nameTest(excludes);
  if (isDestroy) {
    const declared = [...resources].flatMap((address) => run.graph.dependenciesOf(address));
    const kept = new Set([...run.graph.closure(declared), ...stateDependencies(resources, objects)]);
    return {
      graph: (graph) => graph,
      isSelected: (address) => !isNamed(address) && !kept.has(withoutKey(address)),
    };
  }
  const dependents = run.graph.dependents(resources);
  const left = new Set([...resources, ...dependents]);
  const undeclared = new Map([...objects].filter(([address]) => !run.graph.has(address)));
  // The plan would delete an undeclared dependency. An object that stays must not outlive its dependencies, so this dependency
  // stays too.
  const needed = [...stateDependencies(left, objects)].filter((address) => undeclared.has(address));
  const kept = new Set([...dependents, ...stateDependents(left, undeclared), ...needed]);
  for (const address of resources) if (!dependents.has(address)) kept.delete(address);
  const unvisited = new Set([...dependents, ...excludes]);
  return {
    graph: (graph) => graph.subgraph(new Set(graph.ids.filter((id) => !unvisited.has(id)))),
    isSelected: (address) => !isNamed(address) && !kept.has(withoutKey(address)),
  };
}

/** Returns a test for addresses. The test accepts a given address, and all instances of a given resource. */
function nameTest(given: readonly string[]): (address: string) => boolean {
  const addresses = new Set(given);
  return (address) => addresses.has(address) || addresses.has(withoutKey(address));
}

/**
 * Returns these resources and, according to the state, the resources that depend on them. A destroy deletes the dependents
 * first.
 */
function stateDependents(resources: ReadonlySet<string>, objects: Objects): Set<string> {
  const graph = new Graph<undefined>();
  for (const address of resources) graph.add(address, undefined);
  for (const [address, all] of objects)
    graph.add(
      address,
      undefined,
      all.flatMap(({ instance }) => instance.dependencies),
    );
  return new Set([...resources, ...graph.dependents(resources)]);
}

/** Returns the direct and indirect dependencies of these resources, according to the state. */
function stateDependencies(resources: ReadonlySet<string>, objects: Objects): Set<string> {
  const of = (address: string) =>
    (objects.get(address) ?? []).flatMap(({ instance }) => instance.dependencies);
  return reached([...resources].flatMap(of), of);
}

/** Returns the outputs that depend only on selected declarations. The plan updates these outputs too. */
const outputsOf = (graph: Graph<Node>, declarations: ReadonlySet<string>): string[] =>
  graph.ids.filter(
    (id) =>
      id.startsWith("output.") &&
      graph.dependenciesOf(id).length > 0 &&
      graph.dependenciesOf(id).every((dependency) => declarations.has(dependency)),
  );

const foreignTarget = (address: string): never =>
  fail({
    code: "unknown_target",
    summary: "Target of another provider",
    detail: `${address} is an object of a provider that the embedded engine does not contain. Plan it with Terraform.`,
    action: { kind: "other", program: "terraform plan", target: address },
  });

/**
 * Returns whether a node of the graph is a resource or a data source. Only resources and data sources can be targets.
 */
const isResource = (id: string): boolean => !/^(?:output|var|local|provider|check)\./.test(id);

function unknownAddress({ option }: Restriction, address: string, known: readonly string[]): Diagnostic {
  const { hint, action } = hintFor(address, known, LIST_OBJECTS);
  return error({
    code: "unknown_target",
    summary: option === "--target" ? "Unknown target" : "Unknown address to exclude",
    detail: `${option} ${address} is neither in the configuration nor in the state. ${hint}`,
    ...(action !== undefined && { action }),
  });
}
