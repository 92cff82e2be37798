import type { AttributePath } from "../../diagnostics";
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
import { walk } from "../graph/walk";
import { WIDTH } from "../run/context";
import { type Node, providerNode } from "../run/declarations";
import { aggregate, expand, type InstanceKey } from "../run/instances";
import type { StateObject } from "../run/objects";
import { sensitivePathsOf } from "../run/sensitivity";
import type { StackRun } from "../run/stack-run";
import { planData } from "./plan-data";

type Objects = ReadonlyMap<string, readonly StateObject[]>;

/**
 * Evaluates what an import into a declaration needs, and nothing beside it: its provider's configuration, and what says
 * how many instances it has. Data sources are read; other resources are what the state says.
 */
export async function evaluateNeeded(
  run: StackRun,
  declaration: ResourceDeclaration,
  objects: Objects,
): Promise<void> {
  const repetition = [declaration.count, declaration.forEach].filter(
    (expression) => expression !== undefined,
  );
  const named = repetition.flatMap(references).map((traversal) => referencedDeclaration(traversal).address);
  const needed = [providerNode(declaration.provider), ...named.filter((id) => run.graph.has(id))];
  await evaluateNodes(run, needed, objects);
}

/** Evaluates some nodes of a run and what they depend on, apart from those that are done; resources are what the state says. */
export async function evaluateNodes(
  run: StackRun,
  needed: readonly string[],
  objects: Objects,
  done: ReadonlySet<string> = new Set(),
): Promise<void> {
  const left = [...run.graph.closure(needed)].filter((id) => !done.has(id));
  const graph = run.graph.only(new Set(left));
  await walk(graph, (id, node) => run.guard(id, () => visit(run, node, objects)), { width: WIDTH });
}

async function visit(run: StackRun, node: Node, objects: Objects): Promise<"done" | "failed"> {
  switch (node.kind) {
    case "local":
      return run.visitLocal(node.name, node);
    case "provider":
      return run.visitProvider(node.key, node.declaration, true);
    case "resource":
      return node.declaration.mode === "data"
        ? readData(run, node.declaration)
        : takeFromState(run, node.declaration, objects);
    case "variable":
    case "check":
    case "output":
      return "done";
  }
}

async function readData(run: StackRun, declaration: ResourceDeclaration): Promise<"done" | "failed"> {
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  if (run.report(diagnostics) === "failed") return "failed";
  const values = new Map<InstanceKey, Value>();
  const outcomes = await Promise.all(
    instances.map(async (instance) => {
      // Nothing is about to change here, so that nothing has to be waited for.
      const { step, diagnostics: found } = await planData(run, declaration, instance, () => false);
      const read = step?.change.after && valueFrom(run, declaration, step.change.after, step.sensitive);
      values.set(instance.key, read ?? unknown(DYNAMIC));
      return run.report(found);
    }),
  );
  run.evaluation.set(declaration.address, aggregate(declaration, values) ?? unknown(DYNAMIC));
  return outcomes.includes("failed") ? "failed" : "done";
}

function takeFromState(run: StackRun, declaration: ResourceDeclaration, objects: Objects): "done" {
  const { attributes } = run.schema(declaration);
  const values = new Map<InstanceKey, Value>();
  for (const { instance } of objects.get(declaration.address) ?? []) {
    const sensitive = sensitivePathsOf(instance, attributes);
    values.set(instance.indexKey, valueFrom(run, declaration, instance.attributes, sensitive));
  }
  const known = values.size === 0 ? undefined : aggregate(declaration, values);
  run.evaluation.set(declaration.address, known ?? unknown(DYNAMIC));
  return "done";
}

/** The value of an object as a state holds it, with what is sensitive marked. */
export function valueFrom(
  run: StackRun,
  declaration: ResourceDeclaration,
  plain: ValueObject,
  sensitive: readonly AttributePath[],
): Value {
  const { attributes } = run.schema(declaration);
  return markPaths(fromPlain(plain, impliedType(attributes)), sensitive);
}
