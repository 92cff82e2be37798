import type { AttributePath, Diagnostic } from "../../diagnostics";
import {
  DYNAMIC,
  fromPlain,
  impliedType,
  markPaths,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  unknown,
  type Value,
} from "../../language";
import type { ValueObject } from "../../schema";
import type { InstanceState } from "../../state";
import type { Graph } from "../graph/graph";
import { type Node, providerNode } from "../run/declarations";
import { aggregate, expand, type InstanceKey } from "../run/instances";
import type { StateObject } from "../run/objects";
import { sensitivePathsOf } from "../run/redaction";
import type { StackRun } from "../run/stack-run";
import { type Visitor, visitNode, walkGuarded } from "../run/visitor";
import { planData } from "./plan-data";

type Objects = ReadonlyMap<string, readonly StateObject[]>;

/**
 * Evaluates what an import into a declaration depends on: its provider's configuration, those of objects that may be what is
 * imported, and its `count` or `for_each`. Data sources are read; managed resources have their values from the state.
 */
export async function evaluateForImport(
  run: StackRun,
  declaration: ResourceDeclaration,
  objects: Objects,
): Promise<void> {
  const repetition = [declaration.count, declaration.forEach].flatMap((expression) => expression ?? []);
  const named = repetition.flatMap(references).map((traversal) => referencedDeclaration(traversal).address);
  const alike = [...objects.values()].flat().filter(({ resource }) => resource.type === declaration.type);
  const providers = [declaration, ...alike].map(({ provider }) => providerNode(provider));
  await evaluateNodes(run, [...providers, ...named], objects);
}

/**
 * Evaluates nodes and their dependencies, except those in `done`. Managed resources have their values from
 * the state.
 */
export async function evaluateNodes(
  run: StackRun,
  needed: readonly string[],
  objects: Objects,
  done?: Graph<Node>,
): Promise<void> {
  const left = [...run.graph.closure(needed)].filter((id) => done?.has(id) !== true);
  const graph = run.graph.subgraph(new Set(left));
  const visitor: Visitor = {
    resource: ({ declaration }) =>
      declaration.mode === "data" ? readData(run, declaration) : useState(run, declaration, objects),
  };
  await walkGuarded(run, graph, (id, node) => visitNode(run, visitor, id, node));
}

/**
 * Reads the instances of a data source now, whatever changes are planned. What can't be read is unknown.
 *
 * @param onFailure receives why an instance could not be read
 */
export async function readData(
  run: StackRun,
  declaration: ResourceDeclaration,
  onFailure?: (found: readonly Diagnostic[]) => void,
): Promise<"done" | "failed"> {
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  const values = new Map<InstanceKey, Value>();
  const outcomes = await Promise.all(
    instances.map(async (instance) => {
      const { step, diagnostics: found } = await planData({ run, declaration, instance }, () => false);
      const read = step?.change.after && objectValue(run, declaration, step.change.after, step.sensitive);
      values.set(instance.key, read ?? unknown(DYNAMIC));
      const outcome = run.report(found);
      if (outcome === "failed") onFailure?.(found);
      return outcome;
    }),
  );
  run.evaluation.set(declaration.address, aggregate(declaration, values) ?? unknown(DYNAMIC));
  return outcomes.includes("failed") ? "failed" : run.report(diagnostics);
}

function useState(run: StackRun, declaration: ResourceDeclaration, objects: Objects): "done" {
  const values = new Map<InstanceKey, Value>();
  for (const { instance } of objects.get(declaration.address) ?? [])
    values.set(instance.indexKey, storedValue(run, declaration, instance));
  const known = values.size === 0 ? undefined : aggregate(declaration, values);
  run.evaluation.set(declaration.address, known ?? unknown(DYNAMIC));
  return "done";
}

/** The value of an object of the state. */
export const storedValue = (
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: InstanceState,
): Value =>
  objectValue(
    run,
    declaration,
    instance.attributes as ValueObject,
    sensitivePathsOf(instance, run.schema(declaration).attributes),
  );

/** An object's attributes as a value, with the sensitive paths marked. */
export function objectValue(
  run: StackRun,
  declaration: ResourceDeclaration,
  plain: ValueObject,
  sensitive: readonly AttributePath[],
): Value {
  const { attributes } = run.schema(declaration);
  return markPaths(fromPlain(plain, impliedType(attributes)), sensitive);
}
