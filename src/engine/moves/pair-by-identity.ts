/** An object of the state, and whether its address lets go of it: what is not known yet may be later. */
export interface Held {
  readonly address: string;
  readonly identity: string;
  readonly leaves: "yes" | "no" | "not known yet";
}

/** A declaration that wants an object which the state does not have at its address. */
export interface Wanted {
  readonly address: string;
  readonly identity: string;
}

/** Several addresses for one object: which is to become which has to be said. */
export interface Ambiguity {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface Pairing {
  /** Where objects go, by the address that they have. */
  readonly moves: ReadonlyMap<string, string>;
  readonly ambiguities: readonly Ambiguity[];
  /** Addresses for which it can't be told yet. */
  readonly open: ReadonlySet<string>;
}

/** Pairs the objects that leave their addresses with the declarations that want the very same ones. */
export function pairByIdentity(held: readonly Held[], wanted: readonly Wanted[]): Pairing {
  const moves = new Map<string, string>();
  const ambiguities: Ambiguity[] = [];
  const open = new Set<string>();
  const holders = grouped(held.filter(({ leaves }) => leaves !== "no"));
  for (const [identity, to] of grouped(wanted)) {
    const from = (holders.get(identity) ?? []).filter(
      ({ address }) => !to.some((one) => one.address === address),
    );
    if (from.length === 0) continue;
    if (from.some(({ leaves }) => leaves === "not known yet"))
      for (const { address } of to) open.add(address);
    else if (from.length === 1 && to.length === 1) moves.set(from[0]!.address, to[0]!.address);
    else ambiguities.push({ from: addresses(from), to: addresses(to) });
  }
  return { moves, ambiguities, open };
}

/**
 * Where the objects go that stood where others move to and move nowhere themselves: to the address that the chain of
 * moves leaves free. There they are replaced, or end.
 */
export function displacements(
  moves: ReadonlyMap<string, string>,
  isTaken: (address: string) => boolean,
): Map<string, string> {
  const sources = new Map([...moves].map(([from, to]) => [to, from]));
  const displaced = new Map<string, string>();
  for (const to of moves.values()) {
    if (moves.has(to) || !isTaken(to)) continue;
    let free = to;
    for (let from = sources.get(free); from !== undefined; from = sources.get(free)) free = from;
    displaced.set(to, free);
  }
  return displaced;
}

const addresses = (all: readonly { readonly address: string }[]): string[] =>
  all.map(({ address }) => address).sort();

function grouped<T extends { readonly identity: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const known = groups.get(one.identity);
    if (known === undefined) groups.set(one.identity, [one]);
    else known.push(one);
  }
  return groups;
}
