import { append, once } from "../../schema";
import { type Share, ShareIndex } from "../ownership/ownership";

/** The identity of an object on a service, and the parts of sets that it owns there. */
export interface Owned {
  readonly identity?: string | undefined;
  readonly service?: string | undefined;
  readonly shares?: readonly Share[] | undefined;
}

/** Owners by the identity of their object, and by the parts of sets that the object owns. */
export class OwnerIndex<O> {
  readonly #byIdentity = new Map<string, O[]>();
  /** The shares of owners, by service. */
  readonly #byShare = new Map<string | undefined, ShareIndex<O>>();

  add({ identity, service, shares = [] }: Owned, owner: O): void {
    // A stack is read again when its state was written.
    if (identity !== undefined && !this.same(identity).includes(owner))
      append(this.#byIdentity, identity, owner);
    if (shares.length === 0) return;
    const index = once(this.#byShare, service, () => new ShareIndex<O>());
    for (const share of shares) index.add(share, owner);
  }

  /** Returns the owners of the object with this identity. */
  same(identity: string | undefined): readonly O[] {
    return (identity === undefined ? undefined : this.#byIdentity.get(identity)) ?? [];
  }

  /** Returns the owners of a part of a share, of the share, or of its whole set. */
  sharing(service: string | undefined, share: Share): readonly O[] {
    return this.#byShare.get(service)?.of(share) ?? [];
  }

  /** Returns the owners of the same object, then the owners of objects that share a part with it. */
  related({ identity, service, shares = [] }: Owned): readonly O[] {
    const parts = shares.flatMap((share) => this.sharing(service, share));
    return parts.length === 0 ? this.same(identity) : [...this.same(identity), ...parts];
  }

  /** Returns all owners of known objects. */
  get identified(): readonly O[] {
    return [...this.#byIdentity.values()].flat();
  }
}
