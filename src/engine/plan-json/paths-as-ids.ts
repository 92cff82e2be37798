import { type Share, ShareIndex } from "../../framework";
import {
  type AttributeType,
  attributeEntries,
  isNumericId,
  once,
  type Value,
  type ValueObject,
} from "../../schema";
import type { ResourceChange } from "../model/plan";

/** No service has such an id: the first that stands for a path whose id is not known. */
const FIRST_INVENTED = 2 ** 50;

const isInvented = (id: number): boolean => id >= FIRST_INVENTED;

export type PathsAsIds = ReturnType<typeof pathsAsIds>;

/**
 * The references of a plan as ids, so that paths and numbers can be compared without a service: objects and data sources
 * tell the ids of paths. A path of which nothing tells the id gets one of its own.
 */
export function pathsAsIds(
  recorded: ReadonlyMap<string, string>,
  objects: readonly ResourceChange[],
  containerOf: (type: string) => string | undefined,
) {
  /** By kind and path in lower case. */
  const ids = new Map<string, number>();
  /** The ids of which the plan tells a path, of any kind. */
  const named = new Set<number>();
  let invented = FIRST_INVENTED;
  const keyOf = (kind: string, path: string): string => `${kind}:${path}`.toLowerCase();
  const learn = (kind: string, path: string, id: number): void => {
    if (!Number.isSafeInteger(id) || isNumericId(path)) return;
    ids.set(keyOf(kind, path), id);
    named.add(id);
  };
  /** An object's id begins with its container's, and a number beside a reference is its id. */
  const learnFrom = ({ type: resource, attributes }: ResourceChange, values: ValueObject): void => {
    for (const [name, { type }] of attributeEntries(attributes)) {
      const path = values[name];
      if (type.kind !== "reference" || typeof path !== "string") continue;
      const isContainer = name === containerOf(resource);
      const id = isContainer ? /^\d+/.exec(String(values["id"]))?.[0] : values[`${name}_id`];
      if (typeof id === "number" || typeof id === "string") learn(type.to, path, Number(id));
    }
  };
  const asId = (type: AttributeType | undefined, value: Value): Value => {
    if (type?.kind === "reference" && typeof value === "string")
      return isNumericId(value) ? value : String(once(ids, keyOf(type.to, value), () => invented++));
    if (type?.kind === "set" && "element" in type && Array.isArray(value))
      return value.map((one) => asId(type.element, one));
    return value;
  };
  for (const [name, path] of recorded) {
    const [kind = "", id] = name.split(" ");
    learn(kind, path, Number(id));
  }
  for (const object of objects)
    for (const values of [object.before, object.after]) if (values !== null) learnFrom(object, values);
  return {
    /** Whether the plan tells the path of an id. */
    isNamed: (id: number): boolean => named.has(id),
    /** Attributes with ids in the place of paths. */
    attributes({ attributes }: Pick<ResourceChange, "attributes">, values: ValueObject): ValueObject {
      const types = new Map(attributeEntries(attributes).map(([name, { type }]) => [name, type]));
      return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, asId(types.get(name), value)]),
      );
    },
  };
}

/** How a part is named, as far as it can't be compared: by a number without a known path, by a path without a known number. */
type Spelling = "number" | "path";

const OPPOSITE = { number: "path", path: "number" } as const;

/**
 * Finds owners of parts that may be the same, where one is named by number and the other by path: records an owner, and returns
 * one of another configuration that may own the same.
 */
export function spellings<O>(ids: PathsAsIds) {
  /** By configuration. */
  const owners: Readonly<Record<Spelling, Map<string, ShareIndex<O>>>> = {
    number: new Map(),
    path: new Map(),
  };
  const open = (id: string, used: Set<Spelling>): string => {
    if (!isInvented(Number(id)) && ids.isNamed(Number(id))) return id;
    used.add(isInvented(Number(id)) ? "path" : "number");
    return "?";
  };
  return (owner: O, configuration: string, shares: readonly Share[]): O | undefined => {
    let met: O | undefined;
    for (const { place, entry } of shares) {
      const used = new Set<Spelling>();
      const part: Share = {
        place: place.replace(/ (\d+)(?=:|$)/, (_, id: string) => ` ${open(id, used)}`),
        entry: entry === undefined || !/^\d+$/.test(entry) ? entry : open(entry, used),
      };
      for (const spelling of used)
        for (const [other, index] of owners[OPPOSITE[spelling]])
          if (other !== configuration) met ??= index.of(part)[0];
      for (const spelling of used)
        once(owners[spelling], configuration, () => new ShareIndex<O>()).add(part, owner);
    }
    return met;
  };
}
