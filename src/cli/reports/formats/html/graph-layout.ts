/** A node of a graph to lay out. */
interface LayoutNode {
  readonly key: string;
  readonly dependsOn: readonly string[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The left upper corner of each node. */
  readonly places: ReadonlyMap<string, Point>;
  /** The way of each dependency, from the right side of what is depended on to the left side of the dependent. */
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly Point[];
  }[];
}

/** Sizes in units of the drawing. */
interface Sizes {
  readonly width: number;
  readonly height: number;
  readonly columnGap: number;
  readonly rowGap: number;
}

const SWEEPS = 6;

/** Something in a column: a node, or the point where a long edge crosses it. */
interface Slot {
  readonly key: string;
  readonly isNode: boolean;
  readonly before: string[];
  readonly after: string[];
}

/**
 * A layered layout from left to right: each node stands right of what it depends on, and the order within columns keeps
 * edges short and crossings few (barycentres). A cycle, which no plan has, is cut anywhere.
 */
export function layOut(nodes: readonly LayoutNode[], sizes: Sizes): Layout {
  const levels = levelsOf(nodes);
  const columns: Slot[][] = Array.from({ length: Math.max(0, ...levels.values()) + 1 }, () => []);
  const slots = new Map<string, Slot>();
  const add = (key: string, level: number, isNode: boolean): Slot => {
    const slot = { key, isNode, before: [], after: [] };
    slots.set(key, slot);
    columns[level]!.push(slot);
    return slot;
  };
  for (const { key } of nodes) add(key, levels.get(key)!, true);
  const chains = nodes.flatMap(({ key: to, dependsOn }) =>
    dependsOn
      .filter((from) => slots.has(from) && levels.get(from)! < levels.get(to)!)
      .map((from) => {
        const chain = [from];
        for (let level = levels.get(from)! + 1; level < levels.get(to)!; level++)
          chain.push(add(`${from} ${to} ${level}`, level, false).key);
        chain.push(to);
        for (const [at, key] of chain.slice(1).entries()) {
          slots.get(key)!.before.push(chain[at]!);
          slots.get(chain[at]!)!.after.push(key);
        }
        return { from, to, chain };
      }),
  );
  const centres = order(columns, sizes);
  const x = (level: number) => level * (sizes.width + sizes.columnGap);
  const levelOf = new Map(columns.flatMap((column, level) => column.map(({ key }) => [key, level] as const)));
  const places = new Map(
    nodes.map(({ key }) => [key, { x: x(levels.get(key)!), y: centres.get(key)! - sizes.height / 2 }]),
  );
  const edges = chains.map(({ from, to, chain }) => ({
    from,
    to,
    points: chain.flatMap((key, at): Point[] => {
      const [left, y] = [x(levelOf.get(key)!), centres.get(key)!];
      const right = { x: left + sizes.width, y };
      if (at === 0) return [right];
      return at === chain.length - 1 ? [{ x: left, y }] : [{ x: left, y }, right];
    }),
  }));
  const bottom = Math.max(0, ...[...places.values()].map(({ y }) => y + sizes.height));
  return { width: x(columns.length - 1) + sizes.width, height: bottom, places, edges };
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

/** Orders the columns, and answers with the vertical centres of their slots. */
function order(columns: readonly Slot[][], { height, rowGap }: Sizes): Map<string, number> {
  const centres = new Map<string, number>();
  const place = (column: readonly Slot[]) => {
    let top = 0;
    for (const { key, isNode } of column) {
      const size = isNode ? height : rowGap;
      centres.set(key, top + size / 2);
      top += size + rowGap;
    }
  };
  const mean = (keys: readonly string[], otherwise: number) =>
    keys.length === 0 ? otherwise : keys.reduce((sum, key) => sum + centres.get(key)!, 0) / keys.length;
  for (const column of columns) place(column);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? columns : [...columns].reverse()) {
      const wanted = new Map(
        column.map(({ key, before, after }) => [key, mean(isForward ? before : after, centres.get(key)!)]),
      );
      column.sort((one, other) => wanted.get(one.key)! - wanted.get(other.key)!);
      place(column);
    }
  }
  centre(columns, centres);
  return centres;
}

/** Centres the shorter columns beside the longest one. */
function centre(columns: readonly Slot[][], centres: Map<string, number>): void {
  const middleOf = (column: readonly Slot[]) =>
    column.length === 0 ? 0 : (centres.get(column[0]!.key)! + centres.get(column.at(-1)!.key)!) / 2;
  const middle = Math.max(0, ...columns.map(middleOf));
  for (const column of columns) {
    const shift = middle - middleOf(column);
    for (const { key } of column) centres.set(key, centres.get(key)! + shift);
  }
}
