import { type Diagnostic, error } from "../../diagnostics";
import { append, once, type StoredState } from "../../schema";

/** A part that can have one owner: a whole set, or one entry of it. */
export interface Share {
  /** The set with its container, such as `members of space 42`. */
  readonly place: string;
  /** The key of the entry; absent for the whole set. */
  readonly entry?: string | undefined;
}

/** A part that an object or declaration owns: a whole set, or one entry of a set. */
export interface Ownership {
  /** The name of the set within its container, such as `members (users)`. */
  readonly set: string;
  /** The key of the entry; absent for the whole set. */
  readonly entry?: string | undefined;
}

/** Describes an owned part with its container, such as `space 42`. */
export function shareOf({ set, entry }: Ownership, container: string): Share {
  // Thousands of consecutive objects have the same container, so the last name is cached.
  if (last.set !== set || last.container !== container)
    last = { set, container, place: `${set} of ${container}` };
  return { place: last.place, entry };
}

let last = { set: "", container: "", place: "" };

const NONE: readonly never[] = [];

/** The owners of one set. Each of its entries may have its own owner, and there may be thousands of entries. */
class SetOwners<O> {
  readonly #ofAll: O[] = [];
  readonly #ofEntries = new Map<string, O[]>();

  add(entry: string | undefined, owner: O): void {
    if (entry === undefined) this.#ofAll.push(owner);
    else append(this.#ofEntries, entry, owner);
  }

  of(entry: string | undefined): readonly O[] {
    // In most sets, each entry has its own owner, and no object owns the whole set. For such a set, this line
    // returns the owners of the entry without copying a list.
    if (entry !== undefined && this.#ofAll.length === 0) return this.#ofEntries.get(entry) ?? NONE;
    const ofEntries =
      entry === undefined ? [...this.#ofEntries.values()].flat() : (this.#ofEntries.get(entry) ?? NONE);
    return this.#ofAll.length === 0 ? ofEntries : [...this.#ofAll, ...ofEntries];
  }
}

/** Finds the owners of a set and of its entries. */
export class ShareIndex<O> {
  readonly #places = new Map<string, SetOwners<O>>();

  add({ place, entry }: Share, owner: O): void {
    once(this.#places, place, () => new SetOwners<O>()).add(entry, owner);
  }

  /**
   * Returns the owners of a part. For an entry, it returns the owners of the entry and of the whole set. For a
   * whole set, it returns the owners of the set and of all its entries.
   */
  of({ place, entry }: Share): readonly O[] {
    return this.#places.get(place)?.of(entry) ?? NONE;
  }
}

/** The identity of an object on a service, and the parts of sets that it owns there. */
export interface Owned {
  readonly identity?: string | undefined;
  readonly service?: string | undefined;
  readonly shares?: readonly Share[] | undefined;
}

/** Finds owners by the identity of their object, and by the parts of sets that the object owns. */
export class OwnerIndex<O> {
  readonly #byIdentity = new Map<string, O[]>();
  /** The owned parts and their owners, by service. */
  readonly #byShare = new Map<string | undefined, ShareIndex<O>>();

  add({ identity, service, shares = [] }: Owned, owner: O): void {
    // The index may already contain the owner, because a stack is added again after its state was written.
    if (identity !== undefined && !this.same(identity).includes(owner))
      append(this.#byIdentity, identity, owner);
    if (shares.length === 0) return;
    const index = once(this.#byShare, service, () => new ShareIndex<O>());
    for (const share of shares) index.add(share, owner);
  }

  /** Returns the owners of the object with this identity. */
  same(identity: string | undefined): readonly O[] {
    return (identity === undefined ? undefined : this.#byIdentity.get(identity)) ?? NONE;
  }

  /** Returns the owners of a part, or of the whole set that contains it. */
  sharing(service: string | undefined, share: Share): readonly O[] {
    return this.#byShare.get(service)?.of(share) ?? NONE;
  }

  /** Returns the owners of the same object, then the owners of objects that share a part with it. */
  related({ identity, service, shares = [] }: Owned): readonly O[] {
    const parts = shares.flatMap((share) => this.sharing(service, share));
    return parts.length === 0 ? this.same(identity) : [...this.same(identity), ...parts];
  }

  /** Returns all owners whose object has a known identity. */
  get identified(): readonly O[] {
    return [...this.#byIdentity.values()].flat();
  }
}

/** A declaration, or an object of the state. */
interface Party {
  /** The type of resource. */
  readonly type: string;
  /** The address of the declaration, if the host knows it. */
  readonly address?: string | undefined;
  /** The id of the object; undefined until the object is created. */
  readonly object: string | undefined;
}

export type Owner = Party &
  (
    | {
        /** A plan contains the declaration. Two such declarations never own the same part. */
        readonly does: "claim";
        /** The key of the owned entry; absent for the whole set. */
        readonly entry: string | undefined;
        /** Whether an earlier plan of this run planned the declaration with this object. */
        readonly isPlannedAgain: boolean;
      }
    /** The plan of a host that finds no moves declares the object. `isImported`: this run imported the object. */
    | { readonly does: "declare"; readonly isImported: boolean }
    /**
     * The plan of a host that finds no moves destroys the object. `isReplaced`: the object's own declaration
     * replaces it.
     */
    | { readonly does: "destroy"; readonly isReplaced: boolean }
    /**
     * The object stays declared after the run, or the run creates it. `isYetToTake`: another state still has
     * to adopt the object.
     */
    | { readonly does: "stay"; readonly isYetToTake?: boolean | undefined }
    /** The declaration stays and owns whole sets. It removes undeclared entries of these sets itself. */
    | { readonly does: "own set" }
    /**
     * The run destroys the object, or has released it. Another declaration that contains the object then adopts
     * it.
     */
    | { readonly does: "leave"; readonly state: StoredState }
    /** The owner of the whole set keeps an entry, because its plan did not show the removal. */
    | { readonly does: "spare entry" }
  );

export type OwnerThat<D extends Owner["does"]> = Extract<Owner, { readonly does: D }>;

/** An object to be destroyed. */
export type Leaving = Party;

/** The owners of the objects on one service, and the ids of its paths, as far as a run knows them. */
export class ServiceOwnership {
  readonly knownPaths = new Map<string, number>();
  readonly owners = new OwnerIndex<Owner>();
  /** The last operation on each object, by identity. The next operation on the object waits for it. */
  readonly turns = new Map<string, Promise<unknown>>();
}

type Owners = Pick<ServiceOwnership, "owners">;

/** The ownership of one run, by service. All clients of a service share it, even with different configurations. */
export class SharedOwnership {
  readonly #services = new Map<string, ServiceOwnership>();

  /** @param address the address of the service */
  of(address: string): ServiceOwnership {
    return once(this.#services, address, () => new ServiceOwnership());
  }
}

/** Serializes operations on one object. */
export async function exclusively<T>(
  { turns }: Pick<ServiceOwnership, "turns">,
  identity: string,
  work: () => Promise<T>,
): Promise<T> {
  const turn = (turns.get(identity) ?? Promise.resolve()).then(work, work);
  turns.set(identity, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(identity) === turn) turns.delete(identity);
  }
}

/** Returns those owners of an object, or of a part of it, that have this value of `does`. */
export function ownersThat<D extends Owner["does"]>(
  { owners }: Owners,
  does: D,
  owned: Owned,
): readonly OwnerThat<D>[] {
  return owners.related(owned).filter((owner): owner is OwnerThat<D> => owner.does === does);
}

/** Returns the declarations that keep an object that is to be destroyed, or a part of it. */
export const keepersOf = (session: Owners, owned: Owned, leaving: Leaving): readonly OwnerThat<"stay">[] =>
  ownersThat(session, "stay", owned).filter((owner) => isKeeper(owner, leaving));

/**
 * Returns whether `owner` keeps the object, or a part of it. A declaration of the same type keeps only its own
 * object. If that object does not exist yet, the declaration may adopt the object that is to be destroyed. The
 * declaration that replaces the object (same address) does not keep it.
 */
const isKeeper = (owner: Party, leaving: Leaving): boolean => {
  if (owner.type !== leaving.type) return true;
  if (owner.object !== undefined) return owner.object === leaving.object;
  return owner.address === undefined || owner.address !== leaving.address;
};

/** Returns the declarations of another type that own the set of an entry and remove undeclared entries themselves. */
export function removersOf(
  session: Owners,
  share: Share,
  { type }: Leaving,
): readonly OwnerThat<"own set">[] {
  const owned = { shares: [share] };
  if (ownersThat(session, "spare entry", owned).length > 0) return NONE;
  return ownersThat(session, "own set", owned).filter((owner) => owner.type !== type);
}

/** The container of an owned part; `name` is its path, or its id while the run does not know the path. */
export interface OwnedContainer {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** A declaration that a plan registers. */
export type Claimant = Pick<OwnerThat<"claim">, "type" | "address" | "object" | "isPlannedAgain">;

/** Registers the parts of one declaration, and reports conflicts with other declarations. */
export function registerClaims(
  owners: OwnerIndex<Owner>,
  { type, address, object, isPlannedAgain }: Claimant,
  { kind, id, name }: OwnedContainer,
  parts: readonly Ownership[],
): Diagnostic[] {
  const conflicts: Diagnostic[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const { set, entry } = parts[index]!;
    const share = shareOf(parts[index]!, `${kind} ${id}`);
    const claim: OwnerThat<"claim"> = { does: "claim", type, address, object, entry, isPlannedAgain };
    const sharing = owners.sharing(undefined, share);
    const other = sharing.length === 0 ? undefined : sharing.find((one) => isOtherClaim(one, claim));
    if (other === undefined) owners.add({ shares: [share] }, claim);
    else conflicts.push(conflict(`${set} of ${kind} ${name}`, claim, other as OwnerThat<"claim">));
  }
  return conflicts;
}

const isOtherClaim = (owner: Owner, { type, address, object, isPlannedAgain }: Claimant): boolean => {
  if (owner.does !== "claim") return false;
  const isSameAddress = address !== undefined && owner.address === address;
  return !isSameAddress && !(isPlannedAgain && owner.type === type && owner.object === object);
};

const owns = ({ type, address = type, entry }: OwnerThat<"claim">): string =>
  entry === undefined ? `${address} owns all of it` : `${address} owns the entry ${entry}`;

const conflict = (place: string, claim: OwnerThat<"claim">, other: OwnerThat<"claim">): Diagnostic =>
  error({
    code: "declared_twice",
    summary: "Declared twice",
    detail: `The ${place} is declared twice: ${owns(other)}, and ${owns(claim)}. Each would undo the other's changes. Remove one of them.`,
  });
