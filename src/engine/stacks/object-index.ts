import type { StackObject } from "./stack-objects";

/** The objects of a stack by what they are for the service, as far as that was found out: asked by every plan of an app. */
export class ObjectIndex {
  readonly #found = new Map<string, StackObject[]>();
  #unidentified: StackObject[] = [];
  /** One object for each text that objects remember of paths. */
  readonly remembering: readonly StackObject[];

  constructor(objects: readonly StackObject[]) {
    const remembering = new Map<string, StackObject>();
    for (const object of objects) {
      if (object.identity === undefined) this.#unidentified.push(object);
      else this.#add(object.identity, object);
      const { private: bytes } = object.request;
      if (bytes !== undefined) remembering.set(bytes, object);
    }
    this.remembering = [...remembering.values()];
  }

  of(identity: string): readonly StackObject[] {
    return this.#found.get(identity) ?? [];
  }

  /** The objects that could be one of a plan's, and that it is not known of. */
  unidentified(isConcerned: (object: StackObject) => boolean): readonly StackObject[] {
    return this.#unidentified.filter(isConcerned);
  }

  /** Notes what was found out of some of them. */
  identified(identities: ReadonlyMap<StackObject, string>): void {
    for (const [object, identity] of identities) this.#add(identity, object);
    this.#unidentified = this.#unidentified.filter((object) => !identities.has(object));
  }

  get objects(): readonly StackObject[] {
    const found = [...this.#found].flatMap(([identity, objects]) =>
      objects.map((object) => ({ ...object, identity })),
    );
    return [...found, ...this.#unidentified];
  }

  #add(identity: string, object: StackObject): void {
    const known = this.#found.get(identity);
    if (known === undefined) this.#found.set(identity, [object]);
    else known.push(object);
  }
}
