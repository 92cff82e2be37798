import { type Diagnostic, error } from "../../diagnostics";
import { append, once } from "../../schema";

/** A part that can have one owner: a whole set, or one entry of it. */
export interface Share {
  /** The set with its container, such as `members of space 42`. */
  readonly place: string;
  /** The key of the entry; absent for the whole set. */
  readonly entry?: string | undefined;
}

const NONE: readonly never[] = [];

/** The holders of one set: thousands of entries may be held individually. */
class SetHolders<H> {
  readonly #ofAll: H[] = [];
  readonly #ofEntries = new Map<string, H[]>();

  add(entry: string | undefined, holder: H): void {
    if (entry === undefined) this.#ofAll.push(holder);
    else append(this.#ofEntries, entry, holder);
  }

  of(entry: string | undefined): readonly H[] {
    // Most sets are owned entry by entry.
    if (entry !== undefined && this.#ofAll.length === 0) return this.#ofEntries.get(entry) ?? NONE;
    const ofEntries =
      entry === undefined ? [...this.#ofEntries.values()].flat() : (this.#ofEntries.get(entry) ?? NONE);
    return this.#ofAll.length === 0 ? ofEntries : [...this.#ofAll, ...ofEntries];
  }
}

/** Finds the holders of a set and of its entries. */
export class ShareIndex<H> {
  readonly #places = new Map<string, SetHolders<H>>();

  add({ place, entry }: Share, holder: H): void {
    once(this.#places, place, () => new SetHolders<H>()).add(entry, holder);
  }

  /** Returns the holders of the part, of the whole set, or of a part of it. */
  of({ place, entry }: Share): readonly H[] {
    return this.#places.get(place)?.of(entry) ?? NONE;
  }
}

/** One claim of a declaration: a whole set, or one entry of it. */
export interface Ownership {
  /** The name of the set within its container, such as `members (users)`. */
  readonly set: string;
  /** The key of the entry; absent for the whole set. */
  readonly entry?: string | undefined;
}

export interface Owner {
  /** The type of resource. */
  readonly resource: string;
  /** The declaration's address, if the host knows it. */
  readonly address?: string | undefined;
  /** The id of the object that already exists for the declaration, if any. */
  readonly object: string | undefined;
  /** Whether the run planned the declaration with this object before. */
  readonly isPlannedAgain: boolean;
}

type Holder = Ownership & Owner;

/** The container of the owned part; `name` is its path, or its id while the run does not know the path. */
export interface OwnedContainer {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** The ownerships of one configured client in one run. Two declarations never own the same part. */
export class OwnershipRegistry {
  readonly #holders = new ShareIndex<Holder>();

  /** Registers the ownerships of one declaration, and reports conflicts with other declarations. */
  register(claimant: Owner, { kind, id, name }: OwnedContainer, claims: readonly Ownership[]): Diagnostic[] {
    const conflicts: Diagnostic[] = [];
    for (let index = 0; index < claims.length; index += 1) {
      const claim = claims[index]!;
      const share = shareOf(claim, `${kind} ${id}`);
      const { set, entry } = claim;
      const { resource, address, object, isPlannedAgain } = claimant;
      const holder: Holder = { set, entry, resource, address, object, isPlannedAgain };
      const holders = this.#holders.of(share);
      const other = holders.length === 0 ? undefined : holders.find((one) => !isSame(one, claimant));
      if (other === undefined) this.#holders.add(share, holder);
      else conflicts.push(conflict(`${set} of ${kind} ${name}`, holder, other));
    }
    return conflicts;
  }
}

/** Describes an owned part with its container, such as `space 42`. */
export function shareOf({ set, entry }: Ownership, container: string): Share {
  // Thousands of objects in a row have the same container, so its name is built once.
  if (last.set !== set || last.container !== container)
    last = { set, container, place: `${set} of ${container}` };
  return { place: last.place, entry };
}

let last = { set: "", container: "", place: "" };

const isSame = (holder: Owner, { resource, address, object, isPlannedAgain }: Owner): boolean =>
  (address !== undefined && holder.address === address) ||
  (isPlannedAgain && holder.resource === resource && holder.object === object);

const owns = (claim: Holder): string =>
  claim.entry === undefined
    ? `${claim.address ?? claim.resource} owns all of it`
    : `${claim.address ?? claim.resource} owns the entry ${claim.entry}`;

const conflict = (place: string, claim: Holder, other: Holder): Diagnostic =>
  error({
    code: "declared_twice",
    summary: "Declared twice",
    detail: `The ${place} is declared twice: ${owns(other)}, and ${owns(claim)}. Each would undo the other's changes. Remove one of them.`,
  });
