import { type Diagnostic, warning } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  attributeEntries,
  type Declared,
  elementType,
  isDeclared,
  isObject,
  memoize,
} from "../../schema";
import { namesUpTo } from "../../text";
import type { Found, ResourceDefinition } from "../definition/definition";
import { type Share, shareOf } from "../ownership/owners";
import type { StoredState } from "../protocol/protocol";
import { meaning, type Resolved } from "../references/normalize";
import { show } from "./contradictions";
import { identified } from "./identity";
import type { ResourceSession } from "./session";

type Fields = Readonly<Record<string, Resolved>>;

/** The keys of the set elements that the plan showed, by attribute. */
type Shown = ReadonlyMap<string, ReadonlySet<string>>;

/** The values before a change, as the plan showed them. */
export interface ShownBefore {
  /** The states that the plan showed: the state of the object itself, or the states of released objects that a create adopts. */
  readonly states: readonly StoredState[];
  /** The keys of live elements that the plan of a create showed in addition to `states`, by attribute. */
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * Live elements of sets that the plan did not show. People agreed to the plan, so a create or an update removes only elements
 * that the plan showed. The next plan shows the removal of all other elements.
 */
export class UnplannedElements {
  readonly #found = new Map<string, { readonly keys: Set<string>; readonly names: string[] }>();

  private constructor(
    private readonly session: ResourceSession,
    private readonly container: number,
    private readonly shown: readonly Shown[],
  ) {}

  static async since(
    session: ResourceSession,
    container: number,
    { states, keys = {} }: ShownBefore,
  ): Promise<UnplannedElements> {
    const { definition, failures } = session;
    const ofStates = states.map((state) =>
      // If the references of the state can't be resolved, its elements count as not shown, so that the change keeps them.
      failures.orElse(
        (async () =>
          identified(session, state, (declared) => shownIn(definition, declared as unknown as Fields)))(),
        new Map(),
      ),
    );
    const ofPlan = new Map(Object.entries(keys).map(([name, all]) => [name, new Set(all)] as const));
    return new UnplannedElements(session, container, [...(await Promise.all(ofStates)), ofPlan]);
  }

  /** Returns the declaration with all live elements that the change must keep. */
  keptIn(declared: Declared<Attributes>, observed: Found<Attributes>): Declared<Attributes> {
    const kept: Record<string, Resolved> = {};
    for (const { name, element, attribute } of setsOf(this.session.definition.attributes)) {
      const wanted = (declared as Fields)[name];
      if (!Array.isArray(wanted) || !isDeclared(attribute, wanted as Resolved)) continue;
      const keyOf = (one: Resolved) => subjectOf(element, one);
      const known = new Set(elementsOf(wanted as Resolved).map(keyOf));
      const added = elementsOf((observed as Fields)[name]).filter(
        (one) => !known.has(keyOf(one)) && !this.#isShown(name, keyOf(one)),
      );
      if (added.length === 0) continue;
      this.#found.set(name, { keys: new Set(added.map(keyOf)), names: added.map(show) });
      const { type } = this.session;
      const shares = this.#sharesOf(name, added);
      this.session.owners.add({ shares }, { does: "spare entry", type, object: undefined });
      kept[name] = [...elementsOf(wanted as Resolved), ...added] as unknown as Resolved;
    }
    return { ...(declared as Fields), ...kept } as unknown as Declared<Attributes>;
  }

  #isShown(name: string, key: string): boolean {
    return this.shown.some((one) => one.get(name)?.has(key) === true);
  }

  /**
   * Returns elements of one set as parts that the object owns, so that no other declaration of the run removes these elements.
   */
  #sharesOf(name: string, elements: readonly Resolved[]): Share[] {
    const { definition } = this.session;
    const none = Object.fromEntries(setsOf(definition.attributes).map((set) => [set.name, null]));
    const only = { ...none, [name]: elements } as unknown as Declared<Attributes>;
    const place = `${definition.container} ${this.container}`;
    return definition.owns?.entries?.(only).map((claim) => shareOf(claim, place)) ?? [];
  }

  /** Returns the live object without the elements that the plan did not show. */
  without(found: Found<Attributes>): Found<Attributes> {
    if (this.#found.size === 0) return found;
    const planned: Record<string, Resolved> = {};
    for (const { name, element } of setsOf(this.session.definition.attributes)) {
      const keys = this.#found.get(name)?.keys;
      if (keys === undefined) continue;
      const left = elementsOf((found as Fields)[name]).filter((one) => !keys.has(subjectOf(element, one)));
      planned[name] = left as unknown as Resolved;
    }
    return { ...(found as Fields), ...planned } as unknown as Found<Attributes>;
  }

  /**
   * Returns the live object without elements that the plan did not show, if it is a list that every container has. Returns any
   * other object unchanged.
   */
  withoutIn(declared: Declared<Attributes>, found: Found<Attributes>): Found<Attributes> {
    if (!isWholeList(this.session.definition)) return found;
    this.keptIn(declared, found);
    return this.without(found);
  }

  /** Returns a warning for each set with elements that the plan did not show. */
  get warnings(): readonly Diagnostic[] {
    return [...this.#found].map(([name, { names }]) =>
      warning({
        code: "entry_not_planned",
        summary: "Entries are kept",
        detail: `The plan does not show that \`${name}\` loses these entries: ${namesUpTo(MAX_NAMED, names)}. Steward keeps them. The next plan shows their removal, unless the configuration declares them.`,
        attribute: [name],
      }),
    );
  }
}

const MAX_NAMED = 10;

const elementsOf = (value: Resolved | undefined): readonly Resolved[] =>
  Array.isArray(value) ? (value as readonly Resolved[]) : [];

/** An attribute of a resource that is a set, with the type of the set's elements. */
interface SetAttribute {
  readonly name: string;
  readonly attribute: Attribute;
  readonly element: AttributeType | undefined;
}

const setsOf = memoize((attributes: Attributes): readonly SetAttribute[] =>
  attributeEntries(attributes).flatMap(([name, attribute]) =>
    attribute.type.kind === "set" ? [{ name, attribute, element: elementType(attribute.type) }] : [],
  ),
);

/** Returns whether the objects of a resource have sets. Without sets, there are no elements that a plan can omit. */
export const hasSets = ({ attributes }: ResourceDefinition): boolean => setsOf(attributes).length > 0;

/**
 * Returns whether a resource is a list that every container has exactly once. Before its create, a list of this kind can already
 * contain elements from other people.
 */
export const isWholeList = ({ key, attributes }: ResourceDefinition): boolean =>
  key === undefined && setsOf(attributes).length > 0;

/** Returns the keys of the elements in all sets of a live object, by attribute. */
export const keysIn = ({ attributes }: ResourceDefinition, found: Found<Attributes>) =>
  Object.fromEntries(
    setsOf(attributes).map(({ name, element }) => [
      name,
      elementsOf((found as Fields)[name]).map((one) => subjectOf(element, one)),
    ]),
  );

/** Returns the live elements that are missing in the declared sets. Ignores sets that the declaration omits. */
export function undeclaredIn(
  { attributes }: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
): readonly Resolved[] {
  return setsOf(attributes).flatMap(({ name, element }) => {
    const wanted = (declared as Fields)[name];
    if (!Array.isArray(wanted)) return [];
    const known = new Set(elementsOf(wanted as Resolved).map((one) => subjectOf(element, one)));
    return elementsOf((found as Fields)[name]).filter((one) => !known.has(subjectOf(element, one)));
  });
}

function shownIn({ attributes }: ResourceDefinition, declared: Fields): Shown {
  const sets = setsOf(attributes).flatMap(({ name, element }) => {
    const value = declared[name];
    if (!Array.isArray(value)) return [];
    return [[name, new Set(elementsOf(value as Resolved).map((one) => subjectOf(element, one)))] as const];
  });
  return new Map(sets);
}

/**
 * Returns a key for a set element. Attributes that the service can fill in, such as the number of approvals, do not change the
 * key.
 */
function subjectOf(type: AttributeType | undefined, element: Resolved): string {
  if (type === undefined || !("nested" in type) || !isObject(element as never)) return meaning(type, element);
  const fields = Object.entries(element as unknown as Fields).filter(
    ([name]) => type.nested[name]?.presence !== "optionalComputed",
  );
  return meaning(type, Object.fromEntries(fields) as unknown as Resolved);
}
