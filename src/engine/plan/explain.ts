import { decide, LEAVING } from "../../framework";
import { type Configuration, type FleetLayer, memberOf, objectName, resourceAddress } from "../../language";
import type { Value } from "../../schema";
import { compareNatural } from "../../text";
import type { ResourceChange } from "../results/plan";
import type { ExecutablePlan } from "../steps/steps";

/**
 * The origin of a setting: a declaration, or a layer of a fleet. `where` is the path of the layer, and is empty for the baseline.
 */
export interface SettingOrigin {
  readonly where?: string | undefined;
  readonly position?: string | undefined;
  readonly reason?: string | undefined;
  readonly owner?: string | undefined;
  readonly until?: string | undefined;
  /**
   * The path of this container, if a list in the layer contains it. Steward leaves out this path, because a list never
   * names the container to which the list applies.
   */
  readonly leavesOut?: string | undefined;
}

/** One declared attribute of an object, with its origin. */
export interface ExplainedSetting {
  readonly address: string;
  readonly type: string;
  readonly construct?: string;
  readonly attribute?: string;
  /** The declared value; undefined if the setting is sensitive or dropped. */
  readonly value?: Value | undefined;
  /** The live value; undefined if the service has no value. */
  readonly live?: Value | undefined;
  readonly sensitive?: true;
  /** Set if a layer drops the setting. An apply then does not change the live value. */
  readonly dropped?: true;
  readonly from: SettingOrigin;
  /** The origins that `from` overrides, sorted from the highest to the lowest precedence. */
  readonly overrides: readonly SettingOrigin[];
}

/** The objects and the settings of one container. */
export interface Explanation {
  /**
   * The changes of the objects, with the decisions of the plan, sorted by address. Also contains postponed changes, and the
   * objects that the service no longer has.
   */
  readonly objects: readonly ResourceChange[];
  readonly settings: readonly ExplainedSetting[];
}

type ExplainedPlan = Pick<ExecutablePlan, "changes" | "postponed" | "drift" | "leftBehind">;

/** Returns the objects and the settings of one container in a plan. */
export function explain(configuration: Configuration, plan: ExplainedPlan, container: string): Explanation {
  const isOwn = (change: ResourceChange) => change.mode === "managed" && isOf(change, container);
  const own = plan.changes.filter(isOwn);
  const objects = [...own, ...[...(plan.postponed ?? []), ...vanished(plan)].filter(isOwn)];
  const nameOf = ({ address, deposed }: ResourceChange) => objectName(address, deposed);
  return {
    objects: objects.sort((one, other) => compareNatural(nameOf(one), nameOf(other))),
    settings: settingsOf(configuration, own, container),
  };
}

/** Returns the objects without a declaration that the service no longer has. The plan only removes them from the state. */
const vanished = ({ drift, leftBehind }: ExplainedPlan): ResourceChange[] =>
  drift
    .filter(({ address, deposed, after }) => after === null && leftBehind.has(objectName(address, deposed)))
    .map((change) => ({ ...change, decision: decide(VANISHED) }));

const VANISHED = { ...LEAVING, live: "absent" } as const;

function settingsOf(
  { resources, fleets }: Configuration,
  own: readonly ResourceChange[],
  container: string,
): readonly ExplainedSetting[] {
  const declared = own.flatMap((change) => {
    const declaration = resources.get(resourceAddress(change));
    if (declaration === undefined || change.after === null) return [];
    const fleet = declaration.fleet === undefined ? undefined : fleets.get(declaration.fleet);
    return [...declaration.body.keys()].flatMap((attribute) => settingOf(change, attribute, fleet?.layers));
  });
  const memberOf = new Set(own.flatMap((change) => resources.get(resourceAddress(change))?.fleet ?? []));
  const path = own[0]?.container?.name ?? container;
  const dropped = [...fleets.values()].flatMap((fleet) =>
    memberOf.has(fleet.members) ? new ContainerLayers(fleet.layers, path).dropped(fleet.path) : [],
  );
  return [...declared, ...dropped];
}

/**
 * Returns whether the object of a change is in the wanted container. `wanted` is the path or the id of the container,
 * or the declared path that the container had before it was moved on the service.
 */
const isOf = ({ container, before, after }: ResourceChange, wanted: string): boolean => {
  if (container === undefined) return false;
  const declared = (after ?? before)?.[container.kind] ?? null;
  const names = [container.name, ...(typeof declared === "string" ? [declared] : [])];
  return names.some((name) => name.toLowerCase() === wanted.toLowerCase()) || String(container.id) === wanted;
};

function settingOf(change: ResourceChange, attribute: string, layers: readonly FleetLayer[] | undefined) {
  const { address, type, construct, position, container, before, after, replaced, indexKey } = change;
  const value = after?.[attribute] ?? null;
  if (value === null || change.attributes[attribute]?.text.replaces === true) return [];
  const { key = "" } = memberOf(String(indexKey));
  const [from, ...overrides] =
    layers === undefined
      ? []
      : new ContainerLayers(layers, container!.name).historyOf({ type, key, attribute });
  // In a fleet, a value that no layer sets is not a setting: it is a part of the key, or the live value.
  if (layers !== undefined && from?.dropped !== false) return [];
  const live = before?.[attribute] ?? replaced?.live?.[attribute];
  const sensitive = [...change.afterSensitive, ...change.beforeSensitive].some(
    ([name]) => name === attribute,
  );
  return [
    {
      address,
      type,
      attribute,
      ...(construct !== undefined && { construct }),
      ...(sensitive ? { sensitive } : { value, live }),
      from: from?.origin ?? (position === undefined ? {} : { position }),
      overrides: overrides.map(({ origin }) => origin),
    },
  ];
}

interface Named {
  readonly type: string;
  readonly key?: string | undefined;
  readonly attribute?: string | undefined;
}

/**
 * Returns whether two names can mean the same setting. The names must be equal, or one name must be undefined.
 * Undefined means all names.
 */
const isCompatible = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

const originOf = (
  { settings: _settings, ...layer }: FleetLayer,
  position: string | undefined,
): SettingOrigin => ({ ...layer, position });

/** The layers of a fleet that apply to a container, from the deepest layer to the baseline. */
class ContainerLayers {
  readonly #layers: readonly FleetLayer[];

  constructor(
    layers: readonly FleetLayer[],
    private readonly path: string,
  ) {
    this.#layers = layers
      .filter(({ where }) => where === "" || `${path}/`.toLowerCase().startsWith(`${where}/`.toLowerCase()))
      .sort((one, other) => other.where.length - one.where.length);
  }

  /** Returns the layers that set or drop a setting. The first layer takes precedence over all other layers. */
  historyOf(named: Named): { readonly dropped: boolean; readonly origin: SettingOrigin }[] {
    return this.#layers.flatMap((layer) => {
      const found = layer.settings.find(
        (one) =>
          one.type === named.type &&
          isCompatible(one.key, named.key) &&
          isCompatible(one.attribute, named.attribute),
      );
      return found === undefined
        ? []
        : [
            {
              dropped: found.dropped === true,
              origin: { ...originOf(layer, found.position), ...this.#leftOut(found.except_own) },
            },
          ];
    });
  }

  #leftOut(names: readonly string[] = []): Pick<SettingOrigin, "leavesOut"> {
    const own = names.find((name) => name.toLowerCase() === this.path.toLowerCase());
    return own === undefined ? {} : { leavesOut: own };
  }

  /** Returns the dropped settings. A setting is dropped if the deepest layer that contains the setting drops it. */
  dropped(construct: string): ExplainedSetting[] {
    return this.#layers.flatMap((layer) =>
      layer.settings.flatMap(({ dropped, type, key, attribute }) => {
        const [from, ...overrides] = this.historyOf({ type, key, attribute });
        if (dropped !== true || from === undefined || from.origin.where !== layer.where) return [];
        return [
          {
            address: key ?? "",
            type,
            construct,
            dropped,
            from: from.origin,
            ...(attribute !== undefined && { attribute }),
            overrides: overrides.map(({ origin }) => origin),
          },
        ];
      }),
    );
  }
}
