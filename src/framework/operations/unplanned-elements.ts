import { type Diagnostic, warning } from "../../diagnostics";
import {
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
import type { StoredState } from "../protocol/protocol";
import { meaning, type Resolved } from "../references/normalize";
import { identified } from "./identify";
import { show } from "./inconsistent-results";
import type { ResourceSession } from "./session";

type Fields = Readonly<Record<string, Resolved>>;

/** The elements of sets that a plan showed, as keys by attribute. */
type Shown = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The live elements of an update that appeared after the plan. People agreed to the plan, so an update removes only elements that the planned state had. The others wait for the next plan, which shows their removal.
 */
export class UnplannedElements {
  readonly #found = new Map<string, { readonly keys: Set<string>; readonly names: string[] }>();

  private constructor(
    private readonly definition: ResourceDefinition,
    private readonly shown: Shown | undefined,
  ) {}

  /** @param prior the state that the plan began with; undefined for a new object */
  static async since(session: ResourceSession, prior: StoredState | undefined): Promise<UnplannedElements> {
    const { definition, failures } = session;
    if (prior === undefined || setsOf(definition.attributes).length === 0)
      return new UnplannedElements(definition, undefined);
    const read = async () =>
      identified(session, prior, (declared) => shownIn(definition, declared as unknown as Fields));
    return new UnplannedElements(definition, await failures.orElse(read(), undefined));
  }

  /** The declaration with the live elements that the update must keep. */
  keptIn(declared: Declared<Attributes>, observed: Found<Attributes>): Declared<Attributes> {
    const { shown } = this;
    if (shown === undefined) return declared;
    const kept: Record<string, Resolved> = {};
    for (const { name, element, attribute } of setsOf(this.definition.attributes)) {
      const [before, wanted] = [shown.get(name), (declared as Fields)[name]];
      if (before === undefined || !Array.isArray(wanted) || !isDeclared(attribute, wanted)) continue;
      const keyOf = (one: Resolved) => subjectOf(element, one);
      const known = new Set([...before, ...elementsOf(wanted).map(keyOf)]);
      const added = elementsOf((observed as Fields)[name]).filter((one) => !known.has(keyOf(one)));
      if (added.length === 0) continue;
      this.#found.set(name, { keys: new Set(added.map(keyOf)), names: added.map(show) });
      kept[name] = [...elementsOf(wanted), ...added] as unknown as Resolved;
    }
    return { ...(declared as Fields), ...kept } as unknown as Declared<Attributes>;
  }

  /** The live object without these elements. */
  without(found: Found<Attributes>): Found<Attributes> {
    if (this.#found.size === 0) return found;
    const planned: Record<string, Resolved> = {};
    for (const { name, element } of setsOf(this.definition.attributes)) {
      const keys = this.#found.get(name)?.keys;
      if (keys === undefined) continue;
      const left = elementsOf((found as Fields)[name]).filter((one) => !keys.has(subjectOf(element, one)));
      planned[name] = left as unknown as Resolved;
    }
    return { ...(found as Fields), ...planned } as unknown as Found<Attributes>;
  }

  /** A warning for each set with such elements. */
  get warnings(): readonly Diagnostic[] {
    return [...this.#found].map(([name, { names }]) =>
      warning({
        code: "entry_not_planned",
        summary: "Entries appeared after the plan",
        detail: `${name} got entries after the plan: ${namesUpTo(MAX_NAMED, names)}. The plan does not show their removal, so Steward keeps them. The next plan removes them, unless the configuration declares them.`,
        attribute: [name],
      }),
    );
  }
}

const MAX_NAMED = 10;

const elementsOf = (value: Resolved | undefined): readonly Resolved[] =>
  Array.isArray(value) ? (value as readonly Resolved[]) : [];

/** The sets of a type, each with the type of its elements. */
const setsOf = memoize((attributes: Attributes) =>
  attributeEntries(attributes).flatMap(([name, attribute]) =>
    attribute.type.kind === "set" ? [{ name, attribute, element: elementType(attribute.type) }] : [],
  ),
);

function shownIn({ attributes }: ResourceDefinition, declared: Fields): Shown {
  const sets = setsOf(attributes).flatMap(({ name, element }) => {
    const value = declared[name];
    if (!Array.isArray(value)) return [];
    return [[name, new Set(elementsOf(value).map((one) => subjectOf(element, one)))] as const];
  });
  return new Map(sets);
}

/** The identity of an element, without attributes that the service fills in, such as a number of approvals. */
function subjectOf(type: AttributeType | undefined, element: Resolved): string {
  if (type === undefined || !("nested" in type) || !isObject(element as never)) return meaning(type, element);
  const fields = Object.entries(element as unknown as Fields).filter(
    ([name]) => type.nested[name]?.presence !== "optionalComputed",
  );
  return meaning(type, Object.fromEntries(fields) as unknown as Resolved);
}
