import type { Database } from "./database";

/** Where an entry stands: its values in the columns of the order, and its key. */
export type Position = readonly (string | number)[];

/** Positions of one selection by how many entries stand before them. */
class Landmarks {
  readonly #positions = new Map<number, Position>();

  /** The landmark that lies nearest to an offset, at it or before it. */
  before(offset: number): { readonly offset: number; readonly position: Position } | undefined {
    let nearest = -1;
    for (const known of this.#positions.keys()) if (known <= offset && known > nearest) nearest = known;
    const position = this.#positions.get(nearest);
    return position && { offset: nearest, position };
  }

  /** Remembers the entry after which `offset` entries have passed; the oldest one is forgotten for it. */
  put(offset: number, position: Position | undefined): void {
    if (position === undefined || this.#positions.has(offset)) return;
    if (this.#positions.size >= MOST_LANDMARKS) this.#positions.delete(this.#positions.keys().next().value!);
    this.#positions.set(offset, position);
  }
}

interface Memory {
  count: number | undefined;
  readonly landmarks: Landmarks;
}

/** Knows nothing yet, and is known to nobody: for what changes without a write. */
export const emptyMemory = (): Memory => ({ count: undefined, landmarks: new Landmarks() });

const MOST_LANDMARKS = 256;
const MOST_SELECTIONS = 64;

interface Memories {
  version: string;
  readonly bySelection: Map<string, Memory>;
}

const MEMORIES = new WeakMap<Database, Memories>();

/** What is known of a selection while nothing in the data changes, by this process or another one. */
export function memoryOf(database: Database, selection: string): Memory {
  const { version } = database;
  let memories = MEMORIES.get(database);
  if (memories === undefined || memories.version !== version) {
    memories = { version, bySelection: new Map() };
    MEMORIES.set(database, memories);
  }
  const { bySelection } = memories;
  let memory = bySelection.get(selection);
  if (memory === undefined) {
    if (bySelection.size >= MOST_SELECTIONS) bySelection.delete(bySelection.keys().next().value!);
    memory = emptyMemory();
    bySelection.set(selection, memory);
  }
  return memory;
}
