import { once, type ValueObject } from "../../schema";
import { OwnershipRegistry, type Share, ShareIndex } from "./ownership";

/** A declaration whose object stays. */
export interface Holder {
  /** The type of resource. */
  readonly type: string;
  /** Its address, if the host knows it. */
  readonly address?: string | undefined;
  /** The id of its object; undefined until it is created. */
  readonly object: string | undefined;
  /** Whether another state has to adopt the object, and does not hold it yet. */
  readonly isYetToTake?: boolean;
}

/** An object that is released. */
export interface Leaving {
  readonly address?: string | undefined;
}

/** A released object with its state. */
export interface Released extends Leaving {
  readonly type: string;
  readonly state: { readonly attributes: ValueObject; readonly private?: string | undefined };
}

/** An object that is to be destroyed. */
export interface Deletion extends Leaving {
  readonly type: string;
  readonly object: string;
}

/**
 * The objects that stay declared after a run, as announced or created so far. Deletions are checked against them.
 * This is the last check for an object that only gets another address.
 */
export class HeldObjects {
  readonly #holders = new ShareIndex<Holder>();
  readonly #owners = new ShareIndex<Holder>();
  readonly #leaving = new ShareIndex<Released>();
  readonly #left = new ShareIndex<true>();
  readonly #turns = new Map<string, Promise<unknown>>();

  /**
   * Records the parts that a declaration holds, and the sets that it owns as a whole. The declaration itself
   * removes undeclared entries of these sets.
   */
  hold(holder: Holder, held: readonly Share[], owns: readonly Share[]): void {
    for (const share of held) this.#holders.add(share, holder);
    for (const share of owns) this.#owners.add(share, holder);
  }

  /** Records an object that the run destroys or has released. A declaration of it elsewhere adopts it. */
  release(leaving: Released, shares: readonly Share[]): void {
    for (const share of shares) this.#leaving.add(share, leaving);
  }

  /** The released objects that had this part, without the one at `address`. */
  released(share: Share, address: string | undefined): readonly Released[] {
    return this.#leaving.of(share).filter((leaving) => address === undefined || leaving.address !== address);
  }

  /** Records an entry that the owner of the whole set keeps, because its plan does not show the removal. */
  leave(share: Share): void {
    this.#left.add(share, true);
  }

  /** Whether another declaration holds this part of an object to be destroyed. */
  isKept(share: Share, ending: Deletion): boolean {
    return this.keepers(share, ending).length > 0;
  }

  /** The declarations of another type that own this part, and remove it if necessary. */
  owners(share: Share, { type }: Deletion): Holder[] {
    if (this.#left.of(share).length > 0) return [];
    return this.#owners.of(share).filter((holder) => holder.type !== type);
  }

  /** Returns the declarations that hold this part of an object to destroy. */
  keepers(share: Share, ending: Deletion): Holder[] {
    return this.#holders.of(share).filter((holder) => isHeld(holder, ending));
  }

  /** Serializes operations on one object. */
  async exclusively<T>(place: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(place) ?? Promise.resolve()).then(work, work);
    this.#turns.set(place, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(place) === turn) this.#turns.delete(place);
    }
  }
}

/**
 * Within one type, only the same object is a reason to keep this object. A replacement may destroy the object that
 * it creates.
 */
const isHeld = (holder: Holder, ending: Deletion): boolean => {
  if (holder.type !== ending.type) return true;
  if (holder.object !== undefined) return holder.object === ending.object;
  return holder.address === undefined || holder.address !== ending.address;
};

/** A declaration, or an object of the state, in a plan. */
export interface PlannedObject {
  /** The type of resource. */
  readonly type: string;
  /** The id of its existing object, if any. */
  readonly object: string | undefined;
  /** Whether the object was imported in this run. */
  readonly isImported: boolean;
}

export interface PlannedDestroy extends PlannedObject {
  /** Whether its own declaration replaces it. */
  readonly isReplaced: boolean;
}

/** An object that is destroyed and declared. */
export interface Overlap {
  readonly leaving: PlannedDestroy;
  readonly declared: PlannedObject;
}

/**
 * The objects that one plan destroys and declares, compared as they are planned, in any order. For a host
 * that plans object after object without addresses, a renamed declaration is a destroy and a create.
 */
class PlannedDestroys {
  readonly #leaving = new ShareIndex<PlannedDestroy>();
  readonly #declared = new ShareIndex<PlannedObject>();

  /** Records a destroyed object. Returns the declaration of it, if any. */
  addDestroy(leaving: PlannedDestroy, shares: readonly Share[]): Overlap | undefined {
    for (const share of shares) {
      const declared = this.#declared.of(share).find((party) => isOverlap(leaving, party));
      if (declared !== undefined) return { leaving, declared };
      this.#leaving.add(share, leaving);
    }
    return undefined;
  }

  /** Records a declared object. Returns the destroy of it, if any. */
  addDeclared(declared: PlannedObject, shares: readonly Share[]): Overlap | undefined {
    for (const share of shares) {
      const leaving = this.#leaving.of(share).find((party) => isOverlap(party, declared));
      if (leaving !== undefined) return { leaving, declared };
      this.#declared.add(share, declared);
    }
    return undefined;
  }
}

/** Only a replacement may create the object that it destroyed itself. */
const isOverlap = (leaving: PlannedDestroy, declared: PlannedObject): boolean =>
  !leaving.isReplaced || leaving.type !== declared.type || leaving.object !== declared.object;

/** The declarations and holders of the objects on one service, and the ids of its paths. */
export class ServiceOwnership {
  readonly knownPaths = new Map<string, number>();
  readonly claims = new OwnershipRegistry();
  readonly departures = new PlannedDestroys();
  readonly holdings = new HeldObjects();
}

/** The ownership of one run, by service: all clients of a service share it, however they are configured. */
export class SharedOwnership {
  readonly #services = new Map<string, ServiceOwnership>();

  /** @param address the address of the service */
  of(address: string): ServiceOwnership {
    return once(this.#services, address, () => new ServiceOwnership());
  }
}
