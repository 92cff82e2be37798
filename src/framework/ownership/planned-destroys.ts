import { type Share, ShareIndex } from "./share-index";

/** A declaration, or an object of the state, that a plan speaks of. */
export interface PlannedObject {
  /** The type of resource. */
  readonly type: string;
  /** The id of the object that it has already, where it has one. */
  readonly object: string | undefined;
  /** Whether it has it by an import of this very run. */
  readonly isImported: boolean;
}

/** What a plan destroys. */
export interface PlannedDestroy extends PlannedObject {
  /** Whether its own declaration makes another one in its place. */
  readonly isReplaced: boolean;
}

/** What is destroyed, and stays declared all the same. */
export interface Overlap {
  readonly leaving: PlannedDestroy;
  readonly declared: PlannedObject;
}

/**
 * What one plan destroys and what it declares, held against each other as they come, in any order. A host that hands
 * over one object after the other, without addresses, takes a renamed declaration for an end and a creation.
 */
export class PlannedDestroys {
  readonly #leaving = new ShareIndex<PlannedDestroy>();
  readonly #declared = new ShareIndex<PlannedObject>();

  /** Notes what is destroyed. Tells who declares it. */
  addDestroy(leaving: PlannedDestroy, shares: readonly Share[]): Overlap | undefined {
    for (const share of shares) {
      const declared = this.#declared.of(share).find((party) => overlaps(leaving, party));
      if (declared !== undefined) return { leaving, declared };
      this.#leaving.add(share, leaving);
    }
    return undefined;
  }

  /** Notes what is declared. Tells who destroys it. */
  addDeclared(declared: PlannedObject, shares: readonly Share[]): Overlap | undefined {
    for (const share of shares) {
      const leaving = this.#leaving.of(share).find((party) => overlaps(party, declared));
      if (leaving !== undefined) return { leaving, declared };
      this.#declared.add(share, declared);
    }
    return undefined;
  }
}

/** Only a replacement may make what it destroyed itself. */
const overlaps = (leaving: PlannedDestroy, declared: PlannedObject): boolean =>
  !leaving.isReplaced || leaving.type !== declared.type || leaving.object !== declared.object;
