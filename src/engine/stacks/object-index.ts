import { type Share, ShareIndex } from "../../framework";
import { append, once } from "../../schema";
import type { StackObject } from "./stack-objects";

/** An object whose identity is known. */
export type IdentifiedObject = StackObject & Required<Pick<StackObject, "identity">>;

/** What identifies an object on a service, and the parts of sets that it owns there. */
export type Owned = Pick<IdentifiedObject, "identity" | "shares"> &
  Partial<Pick<IdentifiedObject, "service">>;

/** The objects of a stack by identity, as far as it is known; each plan of the app queries it. */
export class ObjectIndex {
  readonly #byIdentity = new Map<string, StackObject[]>();
  readonly #owners = new ShareIndex<StackObject>();
  #unidentified: StackObject[] = [];
  /** The parts of sets that objects of unknown identity own, as far as they are known. */
  readonly #inPart = new Map<StackObject, readonly Share[]>();
  #ownersInPart: ShareIndex<StackObject> | undefined;
  #heldAt: ReadonlySet<string> | undefined;
  /** One object for each distinct text of remembered paths. */
  readonly remembering: readonly StackObject[];

  /** @param onIdentified is told of each object whose identity is known or found */
  constructor(
    objects: readonly StackObject[],
    private readonly onIdentified?: (object: IdentifiedObject) => void,
  ) {
    const remembering = new Map<string, StackObject>();
    for (const object of objects) {
      if (object.identity === undefined) this.#unidentified.push(object);
      else this.#add(object as IdentifiedObject);
      const { private: bytes } = object.request;
      if (bytes !== undefined) remembering.set(bytes, object);
    }
    this.remembering = [...remembering.values()];
  }

  of(identity: string): readonly StackObject[] {
    return this.#byIdentity.get(identity) ?? [];
  }

  /** Whether the state holds an object at an address. */
  hasObjectAt(address: string): boolean {
    const held = () => this.objects.filter(({ source }) => source !== "configuration");
    this.#heldAt ??= new Set(held().map((object) => object.address));
    return this.#heldAt.has(address);
  }

  /** The declared objects that own a part of what a share covers. */
  sharing(service: string | undefined, share: Share): readonly StackObject[] {
    return this.#owners.of(share).filter((object) => object.service === service && object.source !== "state");
  }

  /** An object that is the same, or owns a part of what one of the shares covers: declared or in the state. */
  owner({ identity, service, shares = [] }: Owned): StackObject | undefined {
    const [same] = this.of(identity);
    if (same !== undefined) return same;
    return shares.flatMap((share) => this.#owners.of(share)).find((object) => object.service === service);
  }

  /** Whether the identity of any object is unknown. */
  get isOpen(): boolean {
    return this.#unidentified.length > 0;
  }

  /** The objects, declared or in the state, that own a part of what a share covers; the last ones may own it. */
  ownersOf(service: string | undefined, share: Share): readonly StackObject[] {
    this.#ownersInPart ??= indexed(this.#inPart);
    return [...this.#owners.of(share), ...this.#ownersInPart.of(share)].filter(
      (object) => object.service === service,
    );
  }

  /** Objects of unknown identity that may be the same as one of a plan. */
  unidentified(isConcerned: (object: StackObject) => boolean): readonly StackObject[] {
    return this.#unidentified.filter(isConcerned);
  }

  /** Records the identities that were found. */
  recordIdentities(found: ReadonlyMap<StackObject, IdentifiedObject>): void {
    if (found.size === 0) return;
    for (const [object, identified] of found) {
      this.#add(identified);
      this.#inPart.delete(object);
    }
    this.#ownersInPart = undefined;
    this.#unidentified = this.#unidentified.filter((object) => !found.has(object));
  }

  /** Records what an object of unknown identity owns. */
  recordInPart(object: StackObject, shares: readonly Share[]): void {
    this.#inPart.set(object, shares);
    this.#ownersInPart = undefined;
  }

  /** A declaration of these types whose container is not known: it may own a part of any set. */
  inUnknownContainer(types: readonly string[]): StackObject | undefined {
    return this.#unidentified.find(
      (object) =>
        object.source !== "state" &&
        types.includes(object.request.type) &&
        this.#inPart.get(object)?.length === 0,
    );
  }

  get objects(): readonly StackObject[] {
    return [...[...this.#byIdentity.values()].flat(), ...this.#unidentified];
  }

  #add(object: IdentifiedObject): void {
    this.onIdentified?.(object);
    append(this.#byIdentity, object.identity, object);
    for (const share of object.shares ?? []) this.#owners.add(share, object);
  }
}

function indexed(parts: ReadonlyMap<StackObject, readonly Share[]>): ShareIndex<StackObject> {
  const found = new ShareIndex<StackObject>();
  for (const [object, shares] of parts) for (const share of shares) found.add(share, object);
  return found;
}

/** The stacks that hold or declare an object or a part of it; one that no longer does may be among them. */
export class StacksByObject {
  readonly #byIdentity = new Map<string, Set<string>>();
  readonly #byShare = new ShareIndex<string>();

  add(stack: string, { identity, shares = [] }: Pick<StackObject, "identity" | "shares">): void {
    for (const share of shares) this.#byShare.add(share, stack);
    if (identity === undefined) return;
    once(this.#byIdentity, identity, () => new Set<string>()).add(stack);
  }

  of({ identity, shares = [] }: Owned): ReadonlySet<string> {
    const found = new Set(this.#byIdentity.get(identity));
    for (const share of shares) for (const stack of this.#byShare.of(share)) found.add(stack);
    return found;
  }
}
