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
