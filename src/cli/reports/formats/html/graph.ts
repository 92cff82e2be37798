import { groupBy, withoutKeys } from "../../../../engine";
import { counted } from "../../../../text";
import { type Label, nameOf } from "../entries";
import { type Content, html, joined, type Markup } from "./markup";

/** The facts about an object that the graph shows. */
export interface GraphObject {
  readonly address: string;
  readonly label: Label;
  readonly isChanged: boolean;
  /** The addresses of the declarations on which the object depends. Undefined for an object without changes. */
  readonly dependsOn: readonly string[] | undefined;
  /** The id of the object's entry on the page. */
  readonly id: string | undefined;
}

/** The objects of a stack that the graph shows. */
export interface GraphStack {
  readonly name: string | null;
  readonly objects: readonly GraphObject[];
}

/** A declaration in the graph: one resource, with all its objects. */
interface Declaration {
  /** The address of the resource, without instance keys. */
  readonly address: string;
  readonly objects: readonly GraphObject[];
  readonly dependsOn: readonly string[];
}

/**
 * Returns the changed declarations of a stack and the declarations on which they depend, by address. Leaves out declarations
 * without a dependency.
 */
export function connectedDeclarations(objects: readonly GraphObject[]): ReadonlyMap<string, Declaration> {
  const byAddress = groupBy(objects, ({ address }) => withoutKeys(address));
  const found = new Map<string, Declaration>();
  for (const [address, all] of byAddress) {
    const changing = all.filter(({ isChanged }) => isChanged);
    const dependsOn = changing.flatMap(({ dependsOn: addresses }) => (addresses ? [addresses] : [])).at(-1);
    if (dependsOn === undefined) continue;
    found.set(address, { address, objects: changing, dependsOn });
    for (const other of dependsOn)
      if (!found.has(other))
        found.set(other, { address: other, objects: byAddress.get(other) ?? [], dependsOn: [] });
  }
  return found;
}

/** A node of the drawing. The node represents all objects of one type with the same action. */
interface DrawnNode {
  readonly key: string;
  /** The address of the first declaration that the node represents. */
  readonly address: string;
  /** The objects that the node represents. Empty if the report contains no object of the declaration. */
  readonly objects: readonly GraphObject[];
  /** The keys of the nodes on which this node depends. */
  readonly dependsOn: readonly string[];
}

const UNCHANGED: Label = { kind: "other", sign: "=", word: "unchanged" };

/**
 * Returns the last two parts of an address. A report of another program may contain any text as an address. A text without a dot
 * counts as a name.
 */
function partsOf(address: string): { readonly type: string; readonly name: string } {
  const parts = address.split(".");
  return { type: parts.at(-2) ?? "", name: parts.at(-1)! };
}

export function nodesOf(declarations: ReadonlyMap<string, Declaration>): DrawnNode[] {
  const parts = [...declarations.values()].flatMap(({ address, objects, dependsOn }) =>
    (objects.length === 0 ? [undefined] : objects).map((object) => ({
      key: `${partsOf(address).type} ${(object?.label ?? UNCHANGED).word}`,
      address,
      object,
      dependsOn,
    })),
  );
  const byAddress = groupBy(parts, ({ address }) => address);
  return [...groupBy(parts, ({ key }) => key)].map(([key, group]) => {
    const below = new Set(group.flatMap(({ dependsOn }) => dependsOn));
    const keys = [...below].flatMap((address) => byAddress.get(address)!.map((part) => part.key));
    return {
      key,
      address: group[0].address,
      objects: group.flatMap(({ object }) => object ?? []),
      dependsOn: [...new Set(keys)].filter((other) => other !== key),
    };
  });
}

/** The size of a node, in units of the drawing. */
const NODE = { width: 232, height: 46 };
const GAP = { column: 56, row: 14 };
const MARGIN = 3;

/** The maximum number of characters of a name within a node. */
const NAME_LENGTH = 28;

/** Renders the changed objects of each stack with their dependencies: as a drawing by type and action, and as a list. */
export function graphSection(all: readonly GraphStack[]): Content {
  const stacks = all.flatMap(({ name, objects }) => {
    const declarations = connectedDeclarations(objects);
    return declarations.size === 0 ? [] : [{ name, declarations }];
  });
  if (stacks.length === 0) return undefined;
  return html`<p class="muted">Changes and their dependencies. An object is created and changed after the objects on its left, and destroyed before them. Objects without dependencies are not shown.</p>
${stacks.map(
  ({ name, declarations }) =>
    html`${all.length > 1 && html`<h3>${nameOf(name)}</h3>\n`}${drawing(nodesOf(declarations))}${listOf(declarations)}`,
)}`;
}

function drawing(nodes: readonly DrawnNode[]): Markup {
  const places = layOut(nodes);
  const end = (side: "x" | "y") => Math.max(...[...places.values()].map((place) => place[side]));
  const [width, height] = [end("x") + NODE.width + 2 * MARGIN, end("y") + NODE.height + 2 * MARGIN];
  const edges = nodes.flatMap(({ key, dependsOn }) => {
    const to = places.get(key)!;
    return dependsOn.map((other) => places.get(other)!).map((from) => edge(from, to));
  });
  return html`<figure class="graph"><div class="scroll">
<svg aria-hidden="true" focusable="false" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}">
${edges}${nodes.map((node) => box(node, places.get(node.key)!))}</svg></div></figure>
`;
}

function edge(from: Point, to: Point): Markup {
  const [x, y, toY] = [from.x + NODE.width, from.y + NODE.height / 2, to.y + NODE.height / 2];
  const middle = (x + to.x) / 2;
  return html`<path class="edge" d="M${x} ${y}C${middle} ${y} ${middle} ${toY} ${to.x} ${toY}"/>\n`;
}

function box({ address, objects }: DrawnNode, { x, y }: Point): Markup {
  const { type, name } = partsOf(address);
  const [first] = objects;
  const { sign, word, kind } = first?.label ?? UNCHANGED;
  const times = objects.length > 1 ? ` × ${objects.length}` : "";
  const id = first?.id;
  const state = id === undefined ? "still" : kind;
  const content = html`<rect x="${x}" y="${y}" width="${NODE.width}" height="${NODE.height}" rx="6"/><text class="sign" x="${x + 14}" y="${y + 28}">${sign}</text><text x="${x + 30}" y="${y + 19}">${shortened(name, NAME_LENGTH - times.length)}${times}</text><text class="type" x="${x + 30}" y="${y + 36}">${shortened(type, NAME_LENGTH + 2)}</text>`;
  const title = html`<title>${address} (${word})</title>`;
  return id === undefined
    ? html`<g class="node ${state}">${title}${content}</g>\n`
    : html`<a class="node ${state}" href="#${id}" tabindex="-1">${title}${content}</a>\n`;
}

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;

/** Lists all dependencies as text, for people who can't see the graph. */
function listOf(declarations: ReadonlyMap<string, Declaration>): Markup {
  const all = [...declarations.values()].filter(({ dependsOn }) => dependsOn.length > 0);
  const named = (address: string): Content => {
    const { objects } = declarations.get(address)!;
    const id = objects[0]?.id;
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

/** The position of a node's upper left corner. */
interface Point {
  readonly x: number;
  readonly y: number;
}

type LayoutNode = Pick<DrawnNode, "key" | "dependsOn">;

/**
 * Arranges nodes in columns from left to right. Each node is to the right of its dependencies. In a cycle, one dependency is
 * ignored.
 */
export function layOut(nodes: readonly LayoutNode[]): ReadonlyMap<string, Point> {
  const levelOf = levels(nodes);
  const rows: number[] = [];
  return new Map(
    nodes.map(({ key }) => {
      const level = levelOf(key);
      const row = rows[level] ?? 0;
      rows[level] = row + 1;
      return [key, { x: level * (NODE.width + GAP.column), y: row * (NODE.height + GAP.row) }];
    }),
  );
}

/** Returns a function that returns the column number of a node: one more than the highest column of its dependencies. */
function levels(nodes: readonly LayoutNode[]): (key: string) => number {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const known = new Map<string, number>();
  const levelOf = (key: string): number => {
    const found = known.get(key);
    if (found !== undefined) return found;
    // A preliminary value. The function reads this value again only if the node is part of a cycle.
    known.set(key, 0);
    const level = Math.max(-1, ...byKey.get(key)!.dependsOn.map(levelOf)) + 1;
    known.set(key, level);
    return level;
  };
  return levelOf;
}
