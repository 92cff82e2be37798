import { type Share, ShareIndex } from "./share-index";

/** A declaration whose object stays when the run is over. */
export interface Holder {
  /** The type of resource. */
  readonly type: string;
  /** Where it stands, if the host said so. */
  readonly address?: string | undefined;
  /** The id of its object; nothing until that is made. */
  readonly object: string | undefined;
}

/** An object that is let go of. */
export interface Leaving {
  readonly address?: string | undefined;
}

/** An object that is to be destroyed. */
export interface Deletion extends Leaving {
  readonly type: string;
  readonly object: string;
}

/**
 * What stays declared when a run is over, as far as the run was told or has made it. It is held against every deletion:
 * the last line of defence, where a plan did not find out that something has only another address now.
 */
export class HeldObjects {
  readonly #holders = new ShareIndex<Holder>();
  readonly #owners = new ShareIndex<Holder>();
  readonly #leaving = new ShareIndex<Leaving>();
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Notes what a declaration has, and what it owns as a whole: of that it removes by itself what it doesn't have. */
  hold(holder: Holder, has: readonly Share[], owns: readonly Share[]): void {
    for (const share of has) this.#holders.add(share, holder);
    for (const share of owns) this.#owners.add(share, holder);
  }

  /** Notes what the run destroys, or has let go of: whoever declares it elsewhere takes it over. */
  release(leaving: Leaving, shares: readonly Share[]): void {
    for (const share of shares) this.#leaving.add(share, leaving);
  }

  isReleased(share: Share, address: string | undefined): boolean {
    return this.#leaving.of(share).some((leaving) => address === undefined || leaving.address !== address);
  }

  /** Whether somebody holds this part of what is to be destroyed. */
  stays(share: Share, ending: Deletion): boolean {
    return this.#holders.of(share).some((holder) => holds(holder, ending));
  }

  /** Whether somebody of another type owns this part, and removes it if need be. */
  isOwned(share: Share, { type }: Deletion): boolean {
    return this.#owners.of(share).some((holder) => holder.type !== type);
  }

  /** The addresses of those that hold this part of what is to be destroyed. */
  keepers(share: Share, ending: Deletion): string[] {
    const keepers = this.#holders.of(share).filter((holder) => holds(holder, ending));
    return keepers.flatMap(({ address }) => address ?? []);
  }

  /** Does one thing after the other to one object. */
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

/** Of one type, what is another object already is no reason to keep this one; and who makes anew what it destroys, may. */
const holds = (holder: Holder, ending: Deletion): boolean => {
  if (holder.type !== ending.type) return true;
  if (holder.object !== undefined) return holder.object === ending.object;
  return holder.address === undefined || holder.address !== ending.address;
};
