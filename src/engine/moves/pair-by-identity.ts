import { groupBy } from "../../schema";

/** An object of the state, and whether its declaration releases it, which may not be known yet. */
export interface HeldObject {
  readonly address: string;
  readonly identity: string;
  readonly released: "yes" | "no" | "not known yet";
}

/** A declaration whose object the state does not hold at the declared address. */
export interface WantedObject {
  readonly address: string;
  readonly identity: string;
}

/** An object with several candidate addresses: only a `moved` block can tell the new one. */
export interface Ambiguity {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface Pairing {
  /** New addresses, by current address. */
  readonly moves: ReadonlyMap<string, string>;
  readonly ambiguities: readonly Ambiguity[];
  /** Declared addresses whose pairing depends on what is not known yet. */
  readonly undecided: ReadonlySet<string>;
}

/** Pairs released objects with declarations of the same objects. */
export function pairByIdentity(held: readonly HeldObject[], wanted: readonly WantedObject[]): Pairing {
  const moves = new Map<string, string>();
  const ambiguities: Ambiguity[] = [];
  const undecided = new Set<string>();
  const holders = groupBy(
    held.filter(({ released }) => released !== "no"),
    ({ identity }) => identity,
  );
  for (const [identity, to] of groupBy(wanted, ({ identity }) => identity)) {
    const from = (holders.get(identity) ?? []).filter(
      ({ address }) => !to.some((one) => one.address === address),
    );
    if (from.length === 0) continue;
    if (from.some(({ released }) => released === "not known yet"))
      for (const { address } of to) undecided.add(address);
    else if (from.length === 1 && to.length === 1) moves.set(from[0]!.address, to[0]!.address);
    else ambiguities.push({ from: sortedAddresses(from), to: sortedAddresses(to) });
  }
  return { moves, ambiguities, undecided };
}

/**
 * New addresses for objects whose address another object takes and that move nowhere themselves: the address
 * that the chain of moves leaves free. There they are replaced or deleted.
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

const sortedAddresses = (all: readonly { readonly address: string }[]): string[] =>
  all.map(({ address }) => address).sort();
