import { type Diagnostic, error } from "../../diagnostics";
import { append, once, type StoredState } from "../../schema";

/** A part that can have only one owner: a whole set, or one entry of a set. */
export interface Share {
  /** The name of the set and its container, such as `members of space 42`. */
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

/** Returns an owned part with its container. `container` is a text such as `space 42`. */
export function shareOf({ set, entry }: Ownership, container: string): Share {
  // Thousands of consecutive objects have one container, so the last name is cached.
  if (last.set !== set || last.container !== container)
    last = { set, container, place: `${set} of ${container}` };
  return { place: last.place, entry };
}

let last = { set: "", container: "", place: "" };

const NONE: readonly never[] = [];

/** The owners of one set and its entries. Each of thousands of entries can have a different owner. */
class SetOwners<O> {
  readonly #ofAll: O[] = [];
  readonly #ofEntries = new Map<string, O[]>();

  add(entry: string | undefined, owner: O): void {
    if (entry === undefined) this.#ofAll.push(owner);
    else append(this.#ofEntries, entry, owner);
  }

  of(entry: string | undefined): readonly O[] {
    // No object owns this set as a whole, as in most sets. The owners of the entry are therefore returned without a copy of the
    // list.
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
   * Returns the owners of a part. For an entry, these are the owners of the entry and of the whole set. For a whole set, these
   * are the owners of the set and of all its entries.
   */
  of({ place, entry }: Share): readonly O[] {
    return this.#places.get(place)?.of(entry) ?? NONE;
  }
}

/** The identity of an object on a service, and the parts of sets that the object owns there. */
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
    // The owner can already be in the index, because a stack is added a second time after its state is written.
    if (identity !== undefined && !this.same(identity).includes(owner))
      append(this.#byIdentity, identity, owner);
    if (shares.length === 0) return;
    const index = once(this.#byShare, service, () => new ShareIndex<O>());
    for (const share of shares) index.add(share, owner);
  }

  /** Returns the owners of the object with this identity; an empty list without an identity. */
  same(identity: string | undefined): readonly O[] {
    return (identity === undefined ? undefined : this.#byIdentity.get(identity)) ?? NONE;
  }

  /** Returns the owners that conflict with a part: the owners of the part, of its whole set, or of the set's entries. */
  sharing(service: string | undefined, share: Share): readonly O[] {
    return this.#byShare.get(service)?.of(share) ?? NONE;
  }

  /** Returns the owners of an object, and then the owners of the parts that it owns. */
  related({ identity, service, shares = [] }: Owned): readonly O[] {
    const parts = shares.flatMap((share) => this.sharing(service, share));
    return parts.length === 0 ? this.same(identity) : [...this.same(identity), ...parts];
  }

  /** Returns all owners whose object has a known identity. */
  get identified(): readonly O[] {
    return [...this.#byIdentity.values()].flat();
  }
}

/** An owner: a declaration, or an object of the state. */
interface Party {
  /** The type of resource. */
  readonly type: string;
  /** The address of the owner, if the host knows it. */
  readonly address?: string | undefined;
  /** The id of the owner's object; undefined until the object is created. */
  readonly object: string | undefined;
}

export type Owner = Party &
  (
    | {
        /** The owner is a declaration in a plan. Two such declarations can't own the same part. */
        readonly does: "claim";
        /** The key of the entry that the declaration owns; undefined for the whole set. */
        readonly entry: string | undefined;
        /** Whether an earlier plan of this run already planned this declaration and its object. */
        readonly isPlannedAgain: boolean;
      }
    /** The owner is a declaration in the plan of a host that finds no moves. `isImported`: this run imported the object. */
    | { readonly does: "declare"; readonly isImported: boolean }
    /**
     * The owner is an object that the plan of a host without moves destroys. `isReplaced`: the object's declaration replaces the
     * object.
     */
    | { readonly does: "destroy"; readonly isReplaced: boolean }
    /**
     * The owner is a declaration whose object exists after the run. `isYetToTake`: the declaration is in another state, which
     * still has to adopt the object.
     */
    | { readonly does: "stay"; readonly isYetToTake?: boolean | undefined }
    /**
     * The owner is a declaration that stays and owns whole sets. The declaration removes undeclared entries of these sets itself.
     */
    | { readonly does: "own set" }
    /** The owner is an object that the run destroys or has released. Another declaration of this object adopts the object. */
    | { readonly does: "leave"; readonly state: StoredState }
    /** The owner owns a whole set. The owner keeps one entry, because the plan did not show the removal of this entry. */
    | { readonly does: "spare entry" }
  );

export type OwnerThat<D extends Owner["does"]> = Extract<Owner, { readonly does: D }>;

/** An object that the run is to destroy. */
export type Leaving = Party;

/** The owners of the objects on one service, and the ids of paths on this service, as far as a run knows them. */
export class ServiceOwnership {
  readonly knownPaths = new Map<string, number>();
  readonly owners = new OwnerIndex<Owner>();
  /** The last operation on each object, by identity. The next operation on the object waits until this operation ends. */
  readonly turns = new Map<string, Promise<unknown>>();
}

type Owners = Pick<ServiceOwnership, "owners">;

/** The ownership of one run, by service. All clients of a service share this ownership, even with different configurations. */
export class SharedOwnership {
  readonly #services = new Map<string, ServiceOwnership>();

  /** @param address the address of the service */
  of(address: string): ServiceOwnership {
    return once(this.#services, address, () => new ServiceOwnership());
  }
}

/** Runs an operation on an object after the earlier operations on this object have ended. */
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

/** Returns the owners with this value of `does`, among the owners of an object and its parts. */
export function ownersThat<D extends Owner["does"]>(
  { owners }: Owners,
  does: D,
  owned: Owned,
): readonly OwnerThat<D>[] {
  return owners.related(owned).filter((owner): owner is OwnerThat<D> => owner.does === does);
}

/** For an object to destroy, returns the declarations that keep it or a part of it. */
export const keepersOf = (session: Owners, owned: Owned, leaving: Leaving): readonly OwnerThat<"stay">[] =>
  ownersThat(session, "stay", owned).filter((owner) => isKeeper(owner, leaving));

/**
 * Returns whether `owner` keeps the object to destroy, or a part of it. A declaration with the type of the object to destroy
 * keeps only its own object. A declaration without an object can adopt the object to destroy. A declaration with the address of
 * the object to destroy replaces this object, and does not keep it.
 */
const isKeeper = (owner: Party, leaving: Leaving): boolean => {
  if (owner.type !== leaving.type) return true;
  if (owner.object !== undefined) return owner.object === leaving.object;
  return owner.address === undefined || owner.address !== leaving.address;
};

/**
 * Returns the declarations of another type that own the whole set of an entry. These declarations remove undeclared entries
 * themselves.
 */
export function removersOf(
  session: Owners,
  share: Share,
  { type }: Leaving,
): readonly OwnerThat<"own set">[] {
  const owned = { shares: [share] };
  if (ownersThat(session, "spare entry", owned).length > 0) return NONE;
  return ownersThat(session, "own set", owned).filter((owner) => owner.type !== type);
}

/** The container of an owned part. `name` is its path, or its id if the run does not know the path. */
export interface OwnedContainer {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** A declaration whose ownership a plan registers. */
export type Claimant = Pick<OwnerThat<"claim">, "type" | "address" | "object" | "isPlannedAgain">;

/** Registers the parts that one declaration owns. Returns errors about parts that another declaration also owns. */
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
