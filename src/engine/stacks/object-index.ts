import { type Share, Shares } from "../../framework";
import type { StackObject } from "./stack-objects";

/** An object of which it is known what it is for the service. */
export type IdentifiedObject = StackObject & Required<Pick<StackObject, "identity">>;

/** The objects of a stack by what they are for the service, as far as that was found out: asked by every plan of an app. */
export class ObjectIndex {
  readonly #found = new Map<string, StackObject[]>();
  readonly #owners = new Shares<StackObject>();
  #unidentified: StackObject[] = [];
  /** One object for each text that objects remember of paths. */
  readonly remembering: readonly StackObject[];

  constructor(objects: readonly StackObject[]) {
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
    return this.#found.get(identity) ?? [];
  }

  /** Who declares what overlaps with a share of one service. */
  owning(service: string | undefined, share: Share): readonly StackObject[] {
    return this.#owners.of(share).filter((object) => object.service === service && object.source !== "state");
  }

  /** The objects that could be one of a plan's, and that it is not known of. */
  unidentified(isConcerned: (object: StackObject) => boolean): readonly StackObject[] {
    return this.#unidentified.filter(isConcerned);
  }

  /** Notes what was found out of some of them. */
  identified(found: ReadonlyMap<StackObject, IdentifiedObject>): void {
    for (const object of found.values()) this.#add(object);
    this.#unidentified = this.#unidentified.filter((object) => !found.has(object));
  }

  get objects(): readonly StackObject[] {
    return [...[...this.#found.values()].flat(), ...this.#unidentified];
  }

  #add(object: IdentifiedObject): void {
    const known = this.#found.get(object.identity);
    if (known === undefined) this.#found.set(object.identity, [object]);
    else known.push(object);
    for (const share of object.shares ?? []) this.#owners.add(share, object);
  }
}
