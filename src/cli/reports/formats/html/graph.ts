import { groupBy, withoutKeys } from "../../../../engine";
import { counted } from "../../../../text";
import type { ReportObject } from "../../../document/model";
import { type Content, html, joined, type Markup } from "../../../html";
import { type Entries, type Label, nameOf } from "../entries";
import { isListed } from "../summary";
import { labelOf } from "./entries";

/** A declaration in the graph: the objects of one resource, which may be many. */
interface GraphNode {
  /** The address without instance keys. */
  readonly address: string;
  readonly objects: readonly ReportObject[];
  readonly dependsOn: readonly string[];
}

/** Declarations that are connected, by address, dependencies first. */
type Component = ReadonlyMap<string, GraphNode>;

/** The changed declarations of a stack with what they depend on, as connected parts. Those without connections are left out. */
export function connectedParts(objects: readonly ReportObject[]): Component[] {
  const byAddress = groupBy(objects, ({ address }) => withoutKeys(address));
  const nodes = new Map<string, GraphNode>();
  for (const [address, all] of byAddress) {
    const changing = all.filter((object) => isListed(object) && object.status !== "unmanaged");
    const dependsOn = changing.flatMap(({ depends_on: addresses }) => (addresses ? [addresses] : [])).at(-1);
    if (changing.length > 0) nodes.set(address, { address, objects: changing, dependsOn: dependsOn ?? [] });
  }
  for (const { dependsOn } of [...nodes.values()])
    for (const address of dependsOn)
      if (!nodes.has(address))
        nodes.set(address, { address, objects: byAddress.get(address) ?? [], dependsOn: [] });
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
  return [...nodes.keys()].flatMap((start) => {
    if (seen.has(start)) return [];
    const connected = new Set([start]);
    // The loop also visits what it adds.
    for (const address of connected) for (const next of neighbours.get(address)!) connected.add(next);
    for (const address of connected) seen.add(address);
    return [new Map([...connected].map((address) => [address, nodes.get(address)!]))];
  });
}

/** Declarations of one type with the same actions, as one node. */
interface DrawnNode {
  readonly key: string;
  /** The first of them. */
  readonly node: GraphNode;
  /** How many declarations it stands for. */
  readonly count: number;
  /** Keys of nodes. What follows from other dependencies is left out. */
  readonly dependsOn: readonly string[];
}

interface Shape {
  /** Equal for parts that look the same. */
  readonly key: string;
  readonly nodes: readonly DrawnNode[];
}

const typeOf = (address: string): string => address.split(".").at(-2) ?? address;

/** The drawing of a connected part. */
export function shapeOf(component: Component): Shape {
  const kindOf = ({ address, objects }: GraphNode) => `${typeOf(address)} ${actionsOf(objects)}`;
  const nodes = [...groupBy(component.values(), kindOf)].map(([key, group]): DrawnNode => {
    const below = group.flatMap(({ dependsOn }) => dependsOn.map((one) => kindOf(component.get(one)!)));
    const dependsOn = [...new Set(below)].filter((kind) => kind !== key);
    return { key, node: group[0], count: group.length, dependsOn };
  });
  const texts = nodes.map(({ key, count, dependsOn }) => JSON.stringify([key, count, [...dependsOn].sort()]));
  return { key: texts.sort().join(), nodes: withoutImplied(nodes) };
}

const actionsOf = (objects: readonly ReportObject[]): string =>
  [...new Set(objects.map(({ action, status }) => `${action} ${status}`))].sort().join();

/** Leaves out dependencies that follow from others. */
function withoutImplied(nodes: readonly DrawnNode[]): DrawnNode[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const canReach = (from: string, to: string, seen = new Set<string>()): boolean =>
    (byKey.get(from)?.dependsOn ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return canReach(next, to, seen);
    });
  return nodes.map((node) => ({
    ...node,
    dependsOn: node.dependsOn.filter(
      (one) => !node.dependsOn.some((other) => other !== one && canReach(other, one)),
    ),
  }));
}

/** Larger drawings help nobody: the list has them. */
const MAX_DRAWN_NODES = 60;

/** Drawings of one stack. */
const MAX_DRAWINGS = 12;

const SIZES = { width: 232, height: 46, columnGap: 56, rowGap: 14 };
const MARGIN = 3;

/** Characters of a name within a node. */
const NAME_LENGTH = 28;

/** The changed objects of each stack with what they depend on: drawn, equal parts once, and as a list. */
export function graphSection(entries: Entries): Content {
  const stacks = entries.stacks.flatMap(({ stack }) => {
    const parts = connectedParts(stack.objects);
    return parts.length === 0 ? [] : [{ name: stack.name, parts }];
  });
  if (stacks.length === 0) return undefined;
  return html`<section id="dependencies"><h2>Dependencies</h2>
<p class="muted">What changes, with what it depends on: an object is created and changed after the objects on its left, and destroyed before them. Objects without dependencies are not shown.</p>
${stacks.map(
  ({ name, parts }) =>
    html`${entries.stacks.length > 1 && html`<h3>${nameOf(name)}</h3>\n`}${drawings(parts, entries)}${listOf(parts, entries)}`,
)}</section>
`;
}

function drawings(parts: readonly Component[], entries: Entries): Content {
  const shapes = new Map<string, { readonly shape: Shape; count: number }>();
  for (const part of parts) {
    const shape = shapeOf(part);
    const found = shapes.get(shape.key);
    if (found === undefined) shapes.set(shape.key, { shape, count: 1 });
    else found.count++;
  }
  const drawn = [...shapes.values()].filter(({ shape }) => shape.nodes.length <= MAX_DRAWN_NODES);
  drawn.sort((one, other) => other.count * other.shape.nodes.length - one.count * one.shape.nodes.length);
  const left = shapes.size - Math.min(drawn.length, MAX_DRAWINGS);
  return [
    drawn.slice(0, MAX_DRAWINGS).map(({ shape, count }) => drawing(shape, count, entries)),
    left > 0 && html`<p class="muted">${counted(left, "more part")} of the graph in the list.</p>\n`,
  ];
}

function drawing({ nodes }: Shape, count: number, entries: Entries): Markup {
  const { width, height, places, edges } = layOut(nodes, SIZES);
  const [fullWidth, fullHeight] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const lines = edges.map(({ from, to }) => {
    const [start, end] = [places.get(from)!, places.get(to)!];
    const [x, y, toX, toY] = [
      start.x + SIZES.width,
      start.y + SIZES.height / 2,
      end.x,
      end.y + SIZES.height / 2,
    ].map(round);
    const middle = round((x! + toX!) / 2);
    return html`<path class="edge" d="M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}"/>\n`;
  });
  const boxes = nodes.map((node) => box(node, places.get(node.key)!, entries));
  const isFolded = count > 1;
  return html`<figure class="graph">${isFolded && html`<figcaption>The same ${count} times; one of them:</figcaption>`}<div class="scroll">
<svg aria-hidden="true" focusable="false" width="${fullWidth}" height="${fullHeight}" viewBox="${-MARGIN} ${-MARGIN} ${fullWidth} ${fullHeight}">
${lines}${boxes}</svg></div></figure>
`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** How a node is marked: as its objects are, if they agree. */
function markOf({ objects }: GraphNode): Label {
  const labels = new Map(objects.map((object) => labelOf(object)).map((label) => [label.word, label]));
  const [label] = labels.values();
  if (label === undefined) return { kind: "other", sign: "=", word: "unchanged" };
  return labels.size === 1 ? label : { kind: "other", sign: "*", word: [...labels.keys()].join(", ") };
}

function box({ node, count }: DrawnNode, { x, y }: { x: number; y: number }, entries: Entries): Markup {
  const { sign, word, kind } = markOf(node);
  const { address, objects } = node;
  const [type, name] = address.split(".").slice(-2) as [string, string];
  const objectCount = objects.length * count;
  const times = objectCount > 1 ? ` × ${objectCount}` : "";
  const id = objects[0] && entries.idOf(objects[0]);
  const state = id === undefined ? "still" : kind;
  const content = html`<rect x="${x}" y="${y}" width="${SIZES.width}" height="${SIZES.height}" rx="6"/><text class="sign" x="${x + 14}" y="${y + 28}">${sign}</text><text x="${x + 30}" y="${y + 19}">${shortened(name, NAME_LENGTH - times.length)}${times}</text><text class="type" x="${x + 30}" y="${y + 36}">${shortened(type, NAME_LENGTH + 2)}</text>`;
  const title = html`<title>${address} (${word})</title>`;
  return id === undefined
    ? html`<g class="node ${state}">${title}${content}</g>\n`
    : html`<a class="node ${state}" href="#${id}" tabindex="-1">${title}${content}</a>\n`;
}

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;

/** All dependencies as text, which is the graph for those who can't see it. */
function listOf(parts: readonly Component[], entries: Entries): Markup {
  const all = parts.flatMap((part) => [...part.values()]).filter(({ dependsOn }) => dependsOn.length > 0);
  const nodes = new Map(parts.flatMap((part) => [...part]));
  const named = (address: string): Content => {
    const { objects } = nodes.get(address)!;
    const id = objects[0] && entries.idOf(objects[0]);
    const text = objects.length > 1 ? `${address} (${objects.length} objects)` : address;
    return id === undefined ? html`<code>${text}</code>` : html`<a class="mono" href="#${id}">${text}</a>`;
  };
  return html`<details class="list"><summary>As a list: ${counted(all.length, "object")} with dependencies</summary>
<ul>${all.map(
    ({ address, dependsOn }) => html`
<li>${named(address)} depends on ${joined(dependsOn.map(named), ", ")}</li>`,
  )}
</ul></details>
`;
}

/** A node of a graph to lay out. */
interface LayoutNode {
  readonly key: string;
  readonly dependsOn: readonly string[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  /** The left upper corner of each node. */
  readonly places: ReadonlyMap<string, Point>;
  /** Each dependency, from what is depended on to the dependent. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Sizes in units of the drawing. */
interface Sizes {
  readonly width: number;
  readonly height: number;
  readonly columnGap: number;
  readonly rowGap: number;
}

/**
 * A layout in columns from left to right: each node stands right of what it depends on, and within its column in the order of
 * what it depends on. A cycle, which no plan has, is cut anywhere.
 */
export function layOut(nodes: readonly LayoutNode[], sizes: Sizes): Layout {
  const { width, height, columnGap, rowGap } = sizes;
  const levels = levelsOf(nodes);
  const columns: LayoutNode[][] = Array.from({ length: Math.max(0, ...levels.values()) + 1 }, () => []);
  for (const node of nodes) columns[levels.get(node.key)!]!.push(node);
  const heightOf = ({ length }: readonly LayoutNode[]) => length * (height + rowGap) - rowGap;
  const tallest = Math.max(0, ...columns.map(heightOf));
  const places = new Map<string, Point>();
  const meanOf = ({ dependsOn }: LayoutNode) => {
    const rows = dependsOn.flatMap((key) => places.get(key)?.y ?? []);
    return rows.reduce((sum, y) => sum + y, 0) / Math.max(1, rows.length);
  };
  for (const [level, column] of columns.entries()) {
    const top = (tallest - heightOf(column)) / 2;
    const sorted = column.map((node) => ({ key: node.key, mean: meanOf(node) }));
    sorted.sort((one, other) => one.mean - other.mean);
    for (const [row, { key }] of sorted.entries())
      places.set(key, { x: level * (width + columnGap), y: top + row * (height + rowGap) });
  }
  const edges = nodes.flatMap(({ key: to, dependsOn }) =>
    dependsOn
      .filter((from) => places.has(from) && levels.get(from)! < levels.get(to)!)
      .map((from) => ({ from, to })),
  );
  return { width: columns.length * (width + columnGap) - columnGap, height: tallest, places, edges };
}

/** The column of each node: one right of its last dependency. */
function levelsOf(nodes: readonly LayoutNode[]): Map<string, number> {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const levels = new Map<string, number>();
  const open = new Set<string>();
  const levelOf = (key: string): number => {
    const known = levels.get(key);
    if (known !== undefined) return known;
    open.add(key);
    const below = byKey.get(key)!.dependsOn.filter((one) => byKey.has(one) && !open.has(one));
    const level = Math.max(-1, ...below.map(levelOf)) + 1;
    open.delete(key);
    levels.set(key, level);
    return level;
  };
  for (const { key } of nodes) levelOf(key);
  return levels;
}
