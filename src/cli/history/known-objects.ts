import type { ReadObject } from "../reports/read-report";
import { isBefore, type KnownObject, type Moment } from "./facts";

/** An object, and what the last report that was read says of it: mostly the same as the one before. */
interface Entry {
  readonly object: KnownObject;
  readonly identities: Set<string>;
  id: string | undefined;
  url: string | undefined;
  placedAt: Moment | undefined;
}

/** The objects that reports name: by stack and address, and by their identity on the service. */
export class KnownObjects {
  readonly all: KnownObject[] = [];
  readonly #entries: Entry[] = [];
  /** Undeclared objects belong to no stack: `undefined`. */
  readonly #byAddress = new Map<string | null | undefined, Map<string, Entry>>();
  readonly #byIdentity = new Map<string, Set<KnownObject>>();

  /** The object of a report. */
  see(stackName: string | null, one: ReadObject, moment: Moment): KnownObject {
    const isDeclared = one.status !== "unmanaged";
    const stack = isDeclared ? stackName : undefined;
    const inStack = this.#byAddress.get(stack) ?? new Map<string, Entry>();
    let entry = inStack.get(one.address);
    if (entry === undefined) {
      const { address, type } = one;
      const index = this.all.length;
      const object: KnownObject = {
        index,
        isDeclared,
        stack,
        address,
        type,
        place: {},
        container: undefined,
      };
      entry = { object, identities: new Set(), id: undefined, url: undefined, placedAt: undefined };
      this.#byAddress.set(stack, inStack.set(address, entry));
      this.#entries.push(entry);
      this.all.push(object);
    }
    this.#identify(entry, one);
    locate(entry, one, moment);
    return entry.object;
  }

  /** The other objects of the stack that are the same object of the service: those of a move. */
  sameAs(object: KnownObject): KnownObject[] {
    const { identities } = this.#entries[object.index]!;
    const others = [...identities].flatMap((identity) => [...this.#byIdentity.get(identity)!]);
    return [...new Set(others)].filter((other) => other !== object);
  }

  /** Ids are those of a type within one service, which the URL tells; a stack has one service, as a rule. */
  #identify(entry: Entry, { type, id, url }: ReadObject): void {
    if (id === undefined || (entry.id === id && entry.url === url)) return;
    entry.id = id;
    entry.url = url;
    const identity = JSON.stringify([entry.object.stack ?? null, type, id, url]);
    entry.identities.add(identity);
    this.#byIdentity.set(identity, (this.#byIdentity.get(identity) ?? new Set()).add(entry.object));
  }
}

function locate(entry: Entry, { project, group, url, container }: ReadObject, moment: Moment): void {
  const { object } = entry;
  if (container !== undefined) object.container = container;
  if (project === undefined && group === undefined) return;
  if (entry.placedAt !== undefined && isBefore(moment, entry.placedAt)) return;
  entry.placedAt = moment;
  const { place } = object;
  if (place.project !== project || place.group !== group || place.url !== url)
    object.place = { project, group, url };
}
