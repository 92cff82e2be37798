import { type Owned, OwnerIndex, type Share } from "../../framework";
import type { StackObject } from "./stack-objects";

/** An object whose identity is known. */
export type IdentifiedObject = StackObject & Required<Pick<StackObject, "identity">>;

/**
 * Finds the objects of a stack by their identities and by the parts of sets that they own. The plans of all stacks of the app
 * use this index.
 */
export class ObjectIndex {
  readonly #owners = new OwnerIndex<StackObject>();
  #unidentified: StackObject[] = [];
  /** For objects with an unknown identity: the known parts of the sets that they own. */
  readonly #inPart = new Map<StackObject, readonly Share[]>();
  #ownersInPart: OwnerIndex<StackObject> | undefined;
  #heldAt: ReadonlySet<string> | undefined;
  /** Objects whose private bytes contain ids for paths. For each different text of these bytes, the list contains one object. */
  readonly remembering: readonly StackObject[];

  /** @param onIdentified is called with each object whose identity is known or found */
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
    return this.#owners.same(identity);
  }

  /** Returns whether the state holds an object at an address. */
  hasObjectAt(address: string): boolean {
    const held = () => this.objects.filter(({ source }) => source !== "configuration");
    this.#heldAt ??= new Set(held().map((object) => object.address));
    return this.#heldAt.has(address);
  }

  /** Returns the declared objects that own the given part of a set, or a smaller part within it. */
  sharing(service: string | undefined, share: Share): readonly StackObject[] {
    return this.#owners.sharing(service, share).filter(({ source }) => source !== "state");
  }

  /** Searches the configuration and the state of the stack for the given object, or else for an owner of one of its parts. */
  owner(object: Owned): StackObject | undefined {
    return this.#owners.related(object)[0];
  }

  /** Whether the identity of any object is unknown. */
  get isOpen(): boolean {
    return this.#unidentified.length > 0;
  }

  /**
   * Returns the objects in the configuration or in the state that own a part of `share`. Objects with an unknown identity come
   * last.
   */
  ownersOf(service: string | undefined, share: Share): readonly StackObject[] {
    if (this.#ownersInPart === undefined) {
      this.#ownersInPart = new OwnerIndex();
      for (const [object, shares] of this.#inPart)
        this.#ownersInPart.add({ service: object.service, shares }, object);
    }
    return [...this.#owners.sharing(service, share), ...this.#ownersInPart.sharing(service, share)];
  }

  /** Returns the objects with an unknown identity that pass the test. */
  unidentified(isConcerned: (object: StackObject) => boolean): readonly StackObject[] {
    return this.#unidentified.filter(isConcerned);
  }

  /** Records identities that were found for objects. */
  recordIdentities(found: ReadonlyMap<StackObject, IdentifiedObject>): void {
    if (found.size === 0) return;
    for (const [object, identified] of found) {
      this.#add(identified);
      this.#inPart.delete(object);
    }
    this.#ownersInPart = undefined;
    this.#unidentified = this.#unidentified.filter((object) => !found.has(object));
  }

  /** Records which parts of sets an object with an unknown identity owns. */
  recordInPart(object: StackObject, shares: readonly Share[]): void {
    this.#inPart.set(object, shares);
    this.#ownersInPart = undefined;
  }

  /**
   * Returns a declaration of these types whose container is not known. A declaration with an unknown container may own a part of
   * any set.
   */
  inUnknownContainer(types: readonly string[]): StackObject | undefined {
    return this.#unidentified.find(
      (object) =>
        object.source !== "state" &&
        types.includes(object.request.type) &&
        this.#inPart.get(object)?.length === 0,
    );
  }

  get objects(): readonly StackObject[] {
    return [...this.#owners.identified, ...this.#unidentified];
  }

  #add(object: IdentifiedObject): void {
    this.onIdentified?.(object);
    this.#owners.add(object, object);
  }
}
