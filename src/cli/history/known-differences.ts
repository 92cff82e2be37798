import type { Field } from "../difference";
import type { ReadObject } from "../reports/read-report";

/** An object that reports name, where the newest of them has it. */
export interface KnownObject {
  readonly isDeclared: boolean;
  /** Undefined for an undeclared object, which belongs to no stack; null for a configuration that is not a stack. */
  readonly stack: string | null | undefined;
  /** Type and id for an undeclared object. */
  readonly address: string;
  readonly type: string;
  /** The project or group, with its web page. */
  place: Pick<ReadObject, "project" | "group" | "url">;
  /** Undeclared: the project or group, as `coverage` of a report names it. */
  container: string | undefined;
}

/** A difference that reports name: the same one in several runs. */
export interface Difference {
  /** Of the object, the kind and the attribute. */
  readonly name: string;
  readonly object: KnownObject;
  readonly kind: "changed" | "vanished" | "undeclared";
  /** Of a changed object. */
  readonly attribute: string | undefined;
  /** What differs within the value, or the attributes of an object that is not declared: as the newest report has it. */
  fields: readonly Field[];
}

/** The key of an object, or of an attribute of it that is ignored. */
export const keyOf = (stack: string | null | undefined, name: string): string =>
  JSON.stringify([stack === undefined ? "" : [stack], name]);

/** The objects and differences that the reports up to now name. */
export class KnownDifferences {
  readonly #objects = new Map<string, KnownObject>();
  readonly #differences = new Map<string, Difference>();
  readonly #byFingerprint = new Map<string, readonly Difference[]>();

  /** The differences that a finding with this fingerprint consists of; undefined if no report describes it. */
  described(fingerprint: string): readonly Difference[] | undefined {
    return this.#byFingerprint.get(fingerprint);
  }

  /** The object of a report, which is later than those before. */
  objectOf(stackName: string | null, one: ReadObject): KnownObject {
    const { address, type, project, group, url, container } = one;
    const isDeclared = one.status !== "unmanaged";
    const stack = isDeclared ? stackName : undefined;
    const key = keyOf(stack, address);
    const known = this.#objects.get(key);
    const object = known ?? { isDeclared, stack, address, type, place: {}, container };
    if (known === undefined) this.#objects.set(key, object);
    if (container !== undefined) object.container = container;
    if (project !== undefined || group !== undefined) object.place = { project, group, url };
    return object;
  }

  /** The differences that a report describes. */
  differencesOf(object: KnownObject, one: ReadObject): readonly Difference[] {
    const found = this.#differencesIn(object, one);
    if (one.fingerprint !== undefined && found.length > 0) this.#byFingerprint.set(one.fingerprint, found);
    return found;
  }

  #differencesIn(object: KnownObject, { attributes, fingerprint, known, status }: ReadObject): Difference[] {
    if (!object.isDeclared) return [this.#difference(object, "undeclared", undefined, attributes)];
    if (fingerprint === undefined || known === true) return [];
    if (status === "vanished" || attributes.length === 0)
      return [this.#difference(object, "vanished", undefined, [])];
    return attributes.map((one) => this.#difference(object, "changed", one.name, [one]));
  }

  #difference(
    object: KnownObject,
    kind: Difference["kind"],
    attribute: string | undefined,
    fields: readonly Field[],
  ): Difference {
    const { stack, address } = object;
    const name = JSON.stringify([stack ?? "", address, kind, attribute ?? ""]);
    const difference = this.#differences.get(name) ?? { name, object, kind, attribute, fields };
    difference.fields = fields;
    this.#differences.set(name, difference);
    return difference;
  }
}
