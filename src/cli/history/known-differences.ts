import { stringifyJson } from "../../json";
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

/** The values of an attribute in the newest report that has them, as short texts. Those of a sensitive one are absent. */
interface Values {
  /** What differs within the value, or the attributes of an object that is not declared; absent before format 1.7. */
  readonly fields?: readonly Field[];
  /** What was applied. */
  readonly before?: string | undefined;
  /** What was live. */
  readonly after?: string | undefined;
}

/** A difference that reports name: the same one in several runs. */
export interface Difference {
  /** Of the object, the kind and the attribute. */
  readonly name: string;
  readonly object: KnownObject;
  readonly kind: "changed" | "vanished" | "undeclared";
  /** Of a changed object. */
  readonly attribute: string | undefined;
  values: Values;
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

  #differencesIn(object: KnownObject, one: ReadObject): Difference[] {
    if (!object.isDeclared) {
      const fields = one.attributes.flatMap(({ name, difference }) =>
        difference === undefined ? [] : [{ name, difference }],
      );
      return [this.#difference(object, "undeclared", undefined, { fields })];
    }
    if (one.fingerprint === undefined || one.known === true) return [];
    if (one.status === "vanished" || one.attributes.length === 0)
      return [this.#difference(object, "vanished", undefined, {})];
    return one.attributes.map((attribute) =>
      this.#difference(object, "changed", attribute.name, valuesOf(attribute)),
    );
  }

  #difference(
    object: KnownObject,
    kind: Difference["kind"],
    attribute: string | undefined,
    values: Values,
  ): Difference {
    const { stack, address } = object;
    const name = JSON.stringify([stack ?? "", address, kind, attribute ?? ""]);
    const difference = this.#differences.get(name) ?? { name, object, kind, attribute, values };
    difference.values = values;
    this.#differences.set(name, difference);
    return difference;
  }
}

const valuesOf = ({
  name,
  difference,
  sensitive,
  before,
  after,
  before_name: beforeName,
  after_name: afterName,
}: ReadObject["attributes"][number]): Values =>
  sensitive
    ? {}
    : {
        ...{ before: shown(before, beforeName), after: shown(after, afterName) },
        // A leaf has nothing but both values.
        ...(difference !== undefined && difference.kind !== "leaf" && { fields: [{ name, difference }] }),
      };

/** A page shows thousands of values, and a list of thousands of entries is one of them. */
const MAX_VALUE = 120;

function shown(value: unknown, name: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = stringifyJson(value);
  const short = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
  return name === undefined ? short : `${short} (${name})`;
}
