import { type Share, ShareIndex } from "./share-index";

/** A declaration, or an object of the state, in a plan. */
export interface PlannedObject {
  /** The type of resource. */
  readonly type: string;
  /** The id of its existing object, if any. */
  readonly object: string | undefined;
  /** Whether the object was imported in this run. */
  readonly isImported: boolean;
}

/** An object that a plan destroys. */
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
export class PlannedDestroys {
  readonly #leaving = new ShareIndex<PlannedDestroy>();
  readonly #declared = new ShareIndex<PlannedObject>();

  /** Records a destroyed object. Returns the declaration of it, if any. */
  addDestroy(leaving: PlannedDestroy, shares: readonly Share[]): Overlap | undefined {
    for (const share of shares) {
      const declared = this.#declared.of(share).find((party) => overlaps(leaving, party));
      if (declared !== undefined) return { leaving, declared };
      this.#leaving.add(share, leaving);
    }
    return undefined;
  }

  /** Records a declared object. Returns the destroy of it, if any. */
  addDeclared(declared: PlannedObject, shares: readonly Share[]): Overlap | undefined {
    for (const share of shares) {
      const leaving = this.#leaving.of(share).find((party) => overlaps(party, declared));
      if (leaving !== undefined) return { leaving, declared };
      this.#declared.add(share, declared);
    }
    return undefined;
  }
}

/** Only a replacement may create what it destroyed itself. */
const overlaps = (leaving: PlannedDestroy, declared: PlannedObject): boolean =>
  !leaving.isReplaced || leaving.type !== declared.type || leaving.object !== declared.object;
