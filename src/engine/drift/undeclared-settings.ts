import type { CoverResponse, DeclaredObject, LiveObject, Share } from "../../framework";
import { ShareIndex } from "../../framework";
import { type Attributes, attributeEntries, type ValueObject } from "../../schema";

/** A declared object, and what it covers. */
export interface Cover extends CoverResponse {
  readonly object: DeclaredObject;
}

/** The declarations of live objects: by what they own, or by their container where each container has exactly one. */
export class DeclarationIndex {
  readonly #byShare = new ShareIndex<DeclaredObject>();
  readonly #byPlace = new Map<string, DeclaredObject[]>();

  constructor(covers: readonly Cover[]) {
    for (const { object, container, shares } of covers) {
      for (const share of shares) this.#byShare.add(share, object);
      if (container === undefined) continue;
      const place = placeOf(object.type, container);
      const known = this.#byPlace.get(place);
      if (known === undefined) this.#byPlace.set(place, [object]);
      else known.push(object);
    }
  }

  /** @param isSingle whether each container has exactly one of the type */
  of({ type, container, shares }: LiveObject, isSingle: boolean): readonly DeclaredObject[] {
    const owners = shares.flatMap((share: Share) => this.#byShare.of(share));
    return isSingle ? [...owners, ...(this.#byPlace.get(placeOf(type, container)) ?? [])] : owners;
  }
}

const placeOf = (type: string, { kind, id }: { readonly kind: string; readonly id: number }): string =>
  `${type} ${kind} ${id}`;

/**
 * The settings of a live object that no declaration mentions and whose value is not the service's default.
 *
 * @param declared the declarations of the object; without one, all of its settings are undeclared
 */
export function undeclaredSettings(
  { type, container, state, defaults }: LiveObject,
  attributes: Attributes,
  declared: readonly DeclaredObject[],
): string[] {
  const configurations = declared.filter((one) => one.type === type && one.state === undefined);
  // The next plan deletes what is in the state alone, and a whole set owns its entries.
  if (declared.length > 0 && configurations.length === 0) return [];
  const isDeclared = (name: string) => configurations.some(({ config }) => (config[name] ?? null) !== null);
  return attributeEntries(attributes)
    .filter(
      ([name, { presence }]) =>
        name !== container.kind &&
        // Of a declaration, other attributes are compared also where they are left out, or are never compared.
        (presence === "optionalComputed" ||
          (configurations.length === 0 && presence !== "computed" && presence !== "configOnly")) &&
        (state.attributes[name] ?? null) !== null &&
        !defaults.includes(name) &&
        !isDeclared(name),
    )
    .map(([name]) => name);
}

/** An object with its container and these attributes alone. */
export const onlyAttributes = <T extends Attributes | ValueObject>(all: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as T;
