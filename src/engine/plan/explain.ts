import { type Configuration, type FleetLayer, resourceAddress } from "../../language";
import type { Value } from "../../schema";
import type { Plan, ResourceChange } from "../model/plan";

/** Where a setting comes from: a layer of a fleet, whose path is empty for its baseline, or a declaration. */
export interface SettingOrigin {
  readonly where?: string | undefined;
  readonly position?: string | undefined;
  readonly reason?: string | undefined;
  readonly owner?: string | undefined;
  readonly until?: string | undefined;
}

/** One declared attribute of an object, with its origin. */
export interface ExplainedSetting {
  readonly address: string;
  readonly type: string;
  readonly construct?: string;
  readonly attribute?: string;
  /** Undefined if it is sensitive, and for a dropped one. */
  readonly value?: Value | undefined;
  /** The live value; undefined if there is none. */
  readonly live?: Value | undefined;
  readonly sensitive?: true;
  /** A layer drops it: its live value stays. */
  readonly dropped?: true;
  readonly from: SettingOrigin;
  /** What it overrides: the nearest first. */
  readonly overrides: readonly SettingOrigin[];
}

/** The settings of one container in a plan, with where they come from. */
export function explain(
  { resources, fleets }: Configuration,
  { changes }: Pick<Plan, "changes">,
  container: string,
): readonly ExplainedSetting[] {
  const own = changes.filter((change) => change.mode === "managed" && isOf(change, container));
  const declared = own.flatMap((change) => {
    const declaration = resources.get(resourceAddress(change));
    if (declaration === undefined || change.after === null) return [];
    const fleet = declaration.fleet === undefined ? undefined : fleets.get(declaration.fleet);
    return [...declaration.body.keys()].flatMap((attribute) => settingOf(change, attribute, fleet?.layers));
  });
  const memberOf = new Set(own.flatMap((change) => resources.get(resourceAddress(change))?.fleet ?? []));
  const path = own[0]?.container?.name ?? container;
  const dropped = [...fleets.values()].flatMap((fleet) =>
    memberOf.has(fleet.members) ? droppedIn(fleet.path, fleet.layers, path) : [],
  );
  return [...declared, ...dropped];
}

const isOf = ({ container }: ResourceChange, wanted: string): boolean =>
  container?.name.toLowerCase() === wanted.toLowerCase() || String(container?.id) === wanted;

function settingOf(
  change: ResourceChange,
  attribute: string,
  layers: readonly FleetLayer[] | undefined,
): readonly ExplainedSetting[] {
  const { address, type, construct, position, container, before, after, replaced, indexKey } = change;
  const value = after?.[attribute] ?? null;
  if (value === null || change.attributes[attribute]?.text.replaces === true) return [];
  const key = String(indexKey).split(":").slice(1).join(":");
  const [from, ...overrides] =
    layers === undefined ? [] : historyOf(layers, container!.name, { type, key, attribute });
  // What no layer sets is a part of the key, or stays as it is.
  if (layers !== undefined && from?.dropped !== false) return [];
  const live = before?.[attribute] ?? replaced?.live?.[attribute];
  const sensitive = [...change.afterSensitive, ...change.beforeSensitive].some(
    ([name]) => name === attribute,
  );
  return [
    {
      ...{ address, type, attribute },
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

/** What the layers of a path say about a setting: the one that holds first. */
function historyOf(layers: readonly FleetLayer[], path: string, named: Named) {
  return layersOf(layers, path).flatMap((layer) =>
    layer.settings
      .filter(
        (one) =>
          one.type === named.type &&
          isCompatible(one.key, named.key) &&
          isCompatible(one.attribute, named.attribute),
      )
      .slice(0, 1)
      .map((one) => ({ dropped: one.dropped === true, origin: originOf(layer, one.position) })),
  );
}

/** What names none stands for all. */
const isCompatible = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

/** From the deepest to the baseline. */
const layersOf = (layers: readonly FleetLayer[], path: string): readonly FleetLayer[] =>
  layers
    .filter(({ where }) => where === "" || `${path}/`.toLowerCase().startsWith(`${where}/`.toLowerCase()))
    .sort((one, other) => other.where.length - one.where.length);

const originOf = (
  { settings: _settings, ...layer }: FleetLayer,
  position: string | undefined,
): SettingOrigin => ({ ...layer, position });

/** What the deepest layer that names it drops. */
const droppedIn = (construct: string, layers: readonly FleetLayer[], path: string): ExplainedSetting[] =>
  layersOf(layers, path).flatMap((layer) =>
    layer.settings.flatMap(({ dropped, type, key, attribute }) => {
      const [from, ...overrides] = historyOf(layers, path, { type, key, attribute });
      if (dropped !== true || from === undefined || from.origin.where !== layer.where) return [];
      return [
        {
          ...{ address: key ?? "", type, construct, dropped: true as const, from: from.origin },
          ...(attribute !== undefined && { attribute }),
          overrides: overrides.map(({ origin }) => origin),
        },
      ];
    }),
  );
