import { type Share, Shares } from "./shares";

/** A declaration, or an object of the state, that a plan speaks of. */
export interface Party {
  /** The type of resource. */
  readonly type: string;
  /** The id of the object that it has already, where it has one. */
  readonly object: string | undefined;
  /** Whether it has it by an import of this very run. */
  readonly isImported: boolean;
}

/** What a plan destroys. */
export interface Leaving extends Party {
  /** Whether its own declaration makes another one in its place. */
  readonly isReplaced: boolean;
}

/** What is destroyed, and stays declared all the same. */
export interface Meeting {
  readonly leaving: Leaving;
  readonly declared: Party;
}

/**
 * What one plan destroys and what it declares, held against each other as they come, in any order. A host that hands
 * over one object after the other, without addresses, takes a renamed declaration for an end and a creation.
 */
export class Departures {
  readonly #leaving = new Shares<Leaving>();
  readonly #declared = new Shares<Party>();

  /** Notes what is destroyed. Tells who declares it. */
  leave(leaving: Leaving, shares: readonly Share[]): Meeting | undefined {
    for (const share of shares) {
      const declared = this.#declared.of(share).find((party) => meets(leaving, party));
      if (declared !== undefined) return { leaving, declared };
      this.#leaving.add(share, leaving);
    }
    return undefined;
  }

  /** Notes what is declared. Tells who destroys it. */
  declare(declared: Party, shares: readonly Share[]): Meeting | undefined {
    for (const share of shares) {
      const leaving = this.#leaving.of(share).find((party) => meets(party, declared));
      if (leaving !== undefined) return { leaving, declared };
      this.#declared.add(share, declared);
    }
    return undefined;
  }
}

/** Only a replacement may make what it destroyed itself. */
const meets = (leaving: Leaving, declared: Party): boolean =>
  !leaving.isReplaced || leaving.type !== declared.type || leaving.object !== declared.object;
