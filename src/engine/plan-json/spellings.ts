import type { Share } from "../../framework";
import { isInvented, type PathsAsIds } from "./paths-as-ids";

/** How a part is named, as far as it can't be compared: by a number without a known path, by a path without a known number. */
type Spelling = "number" | "path";

/** The owners of parts that may be the same, if one is named by number and the other by path, by their spelling. */
export class Spellings<O> {
  readonly #ids: PathsAsIds;
  /** By part without ids: the first owner of each configuration and spelling. */
  readonly #owners = new Map<string, Map<string, O>>();

  constructor(ids: PathsAsIds) {
    this.#ids = ids;
  }

  /** Records an owner. Returns one of another configuration that may own the same. */
  meet(owner: O, configuration: string, shares: readonly Share[]): O | undefined {
    let met: O | undefined;
    for (const { place, entry } of shares) {
      const used = new Set<Spelling>();
      const at = place.replace(/ (\d+)(?=:|$)/, (_, id: string) => ` ${this.#open(id, used)}`);
      const part = entry === undefined || !/^\d+$/.test(entry) ? entry : this.#open(entry, used);
      if (used.size === 0) continue;
      const asked = part === undefined ? [`${at} any`, `${at} all`] : [`${at} all`, `${at} one ${part}`];
      const told = part === undefined ? [`${at} all`] : [`${at} any`, `${at} one ${part}`];
      met ??= asked.flatMap((key) => this.#others(key, configuration, used))[0];
      for (const key of told) this.#add(key, configuration, used, owner);
    }
    return met;
  }

  #open(id: string, used: Set<Spelling>): string {
    if (!isInvented(Number(id)) && this.#ids.isNamed(Number(id))) return id;
    used.add(isInvented(Number(id)) ? "path" : "number");
    return "?";
  }

  #others(key: string, configuration: string, used: ReadonlySet<Spelling>): O[] {
    const opposite = [...used].map((one): Spelling => (one === "path" ? "number" : "path"));
    return [...(this.#owners.get(key) ?? [])]
      .filter(([name]) =>
        opposite.some((one) => name.startsWith(`${one} `) && name !== `${one} ${configuration}`),
      )
      .map(([, owner]) => owner);
  }

  #add(key: string, configuration: string, used: ReadonlySet<Spelling>, owner: O): void {
    const owners = this.#owners.get(key) ?? new Map<string, O>();
    this.#owners.set(key, owners);
    for (const one of used) {
      const name = `${one} ${configuration}`;
      if (!owners.has(name)) owners.set(name, owner);
    }
  }
}
