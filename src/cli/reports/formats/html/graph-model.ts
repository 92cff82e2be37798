import { createHash } from "node:crypto";
import { withoutKeys } from "../../../../engine";
import type { ReportObject } from "../../../document/model";
import { isListed } from "../summary";

/** A declaration in the graph: the objects of one resource, which may be many. */
export interface GraphNode {
  /** The address without instance keys. */
  readonly address: string;
  readonly objects: readonly ReportObject[];
  readonly dependsOn: readonly string[];
}

/** Declarations that are connected, by address, dependencies first. */
export type Component = ReadonlyMap<string, GraphNode>;

/** The changed declarations of a stack with what they depend on, as connected parts. Those without connections are left out. */
export function connectedParts(objects: readonly ReportObject[]): Component[] {
  const nodes = new Map<string, { address: string; objects: ReportObject[]; dependsOn: readonly string[] }>();
  const unlisted = new Map<string, ReportObject[]>();
  for (const object of objects) {
    const address = withoutKeys(object.address);
    if (!isListed(object) || object.status === "unmanaged") {
      unlisted.set(address, [...(unlisted.get(address) ?? []), object]);
      continue;
    }
    const node = nodes.get(address) ?? { address, objects: [], dependsOn: [] };
    node.objects.push(object);
    node.dependsOn = object.depends_on ?? node.dependsOn;
    nodes.set(address, node);
  }
  for (const { dependsOn } of [...nodes.values()])
    for (const address of dependsOn)
      if (!nodes.has(address))
        nodes.set(address, { address, objects: unlisted.get(address) ?? [], dependsOn: [] });
  return components(nodes).filter((component) => component.size > 1);
}

function components(nodes: ReadonlyMap<string, GraphNode>): Component[] {
  const neighbours = new Map([...nodes.keys()].map((address) => [address, [] as string[]]));
  for (const { address, dependsOn } of nodes.values())
    for (const other of dependsOn) {
      neighbours.get(address)!.push(other);
      neighbours.get(other)!.push(address);
    }
  const seen = new Set<string>();
  const found: Component[] = [];
  for (const start of nodes.keys()) {
    if (seen.has(start)) continue;
    const component = new Map<string, GraphNode>();
    const open = [start];
    seen.add(start);
    for (let address = open.pop(); address !== undefined; address = open.pop()) {
      component.set(address, nodes.get(address)!);
      for (const next of neighbours.get(address)!) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    found.push(component);
  }
  return found;
}

/** Nodes that have the same type, the same actions, and the same places in the graph, as one. */
export interface DrawnNode {
  readonly key: string;
  /** The first of them. */
  readonly node: GraphNode;
  /** How many declarations it stands for. */
  readonly count: number;
  /** Keys of nodes. What follows from other dependencies is left out. */
  readonly dependsOn: readonly string[];
}

export interface Shape {
  /** Equal for parts that look the same. */
  readonly key: string;
  readonly nodes: readonly DrawnNode[];
}

const typeOf = (address: string): string => address.split(".").at(-2) ?? address;

/** Rounds after which nodes of practical graphs are told apart by what they are connected with. */
const ROUNDS = 6;

const digest = (text: string): string => createHash("sha1").update(text).digest("base64").slice(0, 12);

/** The shape of a connected part, by colour refinement: nodes are one if they and what they are connected with look the same. */
export function shapeOf(component: Component): Shape {
  const dependents = new Map<string, string[]>([...component.keys()].map((address) => [address, []]));
  for (const { address, dependsOn } of component.values())
    for (const other of dependsOn) dependents.get(other)!.push(address);
  let colours = new Map(
    [...component.values()].map(({ address, objects, dependsOn }) => [
      address,
      digest(`${typeOf(address)} ${actionsOf(objects)} ${dependsOn.length}`),
    ]),
  );
  const around = (addresses: readonly string[]) =>
    [...new Set(addresses.map((address) => colours.get(address)!))].sort().join();
  for (let round = 0; round < ROUNDS; round++) {
    colours = new Map(
      [...component.values()].map(({ address, dependsOn }) => [
        address,
        digest(`${colours.get(address)} ${around(dependsOn)} ${around(dependents.get(address)!)}`),
      ]),
    );
  }
  const groups = new Map<string, GraphNode[]>();
  for (const node of component.values()) {
    const colour = colours.get(node.address)!;
    groups.set(colour, [...(groups.get(colour) ?? []), node]);
  }
  const nodes = [...groups].map(([key, group]): DrawnNode => {
    const dependsOn = [...new Set(group[0]!.dependsOn.map((address) => colours.get(address)!))];
    return { key, node: group[0]!, count: group.length, dependsOn: dependsOn.filter((one) => one !== key) };
  });
  return {
    key: [...groups]
      .map(([colour, group]) => `${colour}×${group.length}`)
      .sort()
      .join(),
    nodes: withoutImplied(nodes),
  };
}

const actionsOf = (objects: readonly ReportObject[]): string =>
  [...new Set(objects.map(({ action, status }) => `${action} ${status}`))].sort().join();

/** Leaves out dependencies that follow from others. */
function withoutImplied(nodes: readonly DrawnNode[]): DrawnNode[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (byKey.get(from)?.dependsOn ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return nodes.map((node) => ({
    ...node,
    dependsOn: node.dependsOn.filter(
      (one) => !node.dependsOn.some((other) => other !== one && reaches(other, one)),
    ),
  }));
}
