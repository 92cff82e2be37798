import { readFileSync } from "node:fs";
import path from "node:path";
import { compareStrictness } from "../generated/compare-strictness";
import { type Keys, nearest, refuseUnknownKeys } from "../keys";
import { recordRow } from "../position";
import type { ProjectSettingsConfig } from "../project-settings";
import {
  type FleetBaseline,
  type FleetLayerSettings,
  PARTS,
  type PartKind,
  schemaValues,
  snake,
  UNMANAGED,
} from "./parts";

/** A layer of an app's fleet. The baseline is a layer with an empty path. */
export interface Layer {
  /** The full path of a group or project; empty for the baseline. */
  readonly where: string;
  readonly settings: FleetLayerSettings | FleetBaseline;
  /** The text that messages use for the layer, such as `the baseline (main.ts:12)`. */
  readonly title: string;
}

/** The value of one attribute, and the layer that sets this value. */
interface Setting {
  readonly value: unknown;
  readonly layer: Layer;
}

/** The merged settings of one group or project, from all layers for its path. */
export class Row {
  readonly #parts = new Map<PartKind, Map<string, ReadonlyMap<string, Setting>>>();

  /** @param textOf converts the key of a part, for example by replacing `{project}` with the path of the project */
  constructor(layers: readonly Layer[], textOf = (key: string) => key) {
    for (const layer of layers) for (const kind of PARTS) this.#apply(kind, layer, textOf);
  }

  keys(kind: PartKind): Iterable<string> {
    return this.#parts.get(kind)?.keys() ?? [];
  }

  part(kind: PartKind, key: string): ReadonlyMap<string, Setting> | undefined {
    return this.#parts.get(kind)?.get(key);
  }

  /** Returns all attributes of a part under the names in the schema; null if no layer declares the part. */
  values(kind: PartKind, key: string): Record<string, unknown> | null {
    const part = this.part(kind, key);
    return part === undefined
      ? null
      : schemaValues(kind, new Map([...part].map(([name, { value }]) => [name, value])));
  }

  /** Returns the merged settings as options of the project's `ProjectSettings`. */
  options(project: string): Omit<ProjectSettingsConfig, "project"> {
    const options = [...this.#parts].flatMap(([{ option, isKeyed, othersOnly }, parts]) => {
      const attributes = [...parts].map(([key, part]): [string, Record<string, unknown>] => [
        key,
        Object.fromEntries(
          [...part].map(([name, { value }]) => [
            name,
            name === othersOnly ? withoutOwn(value, project) : value,
          ]),
        ),
      ]);
      if (isKeyed) return [[option, Object.fromEntries(attributes)]];
      return attributes.map(([, part]) => [option, option === "inboundEnabled" ? part[option] : part]);
    });
    return Object.fromEntries(options) as Omit<ProjectSettingsConfig, "project">;
  }

  #apply(kind: PartKind, layer: Layer, textOf: (key: string) => string): void {
    const given = layer.settings[kind.option];
    if (given === undefined) return;
    const parts = this.#parts.get(kind) ?? new Map<string, ReadonlyMap<string, Setting>>();
    this.#parts.set(kind, parts);
    if (given === UNMANAGED) {
      parts.clear();
      return;
    }
    const byKey = kind.isKeyed
      ? (given as Readonly<Record<string, unknown>>)
      : { "": kind.option === "inboundEnabled" ? { inboundEnabled: given } : given };
    for (const [written, part] of Object.entries(byKey)) {
      const key = textOf(written);
      if (part === UNMANAGED) {
        parts.delete(key);
        continue;
      }
      const merged = new Map(parts.get(key));
      for (const [name, value] of Object.entries(part as object)) {
        if (value === UNMANAGED) merged.delete(name);
        else merged.set(name, { value, layer });
      }
      parts.set(key, merged);
    }
  }
}

/** Returns a list of projects without `project`, the owner of the list. Returns any other value unchanged. */
const withoutOwn = (list: unknown, project: string): unknown =>
  Array.isArray(list) ? list.filter((one) => !isSameText(one, project)) : list;

const isSameText = (one: unknown, other: string): boolean =>
  typeof one === "string" && one.toLowerCase() === other.toLowerCase();

/**
 * Returns the layers that apply to a path, from the baseline to the longest path. A layer applies to its own path and to all
 * paths below it.
 */
export function layersOf(path: string, layers: readonly Layer[]): readonly Layer[] {
  const isBelow = (where: string) =>
    where === "" || `${path}/`.toLowerCase().startsWith(`${where}/`.toLowerCase());
  return layers
    .filter(({ where }) => isBelow(where))
    .sort((one, other) => one.where.length - other.where.length);
}

/**
 * Merges a baseline and layers into the options of a `ProjectSettings` for one project.
 *
 * @param project the full path of the project; it replaces `{project}` in keys
 * @throws Error for an unknown key, for the value undefined at any depth, and for a part without a required attribute
 */
export function mergeLayers(
  project: string,
  baseline: FleetBaseline,
  layers: readonly FleetLayerSettings[],
): ProjectSettingsConfig {
  const all = [baseline, ...layers].map((settings, at): Layer => {
    const title = `${project}: ${at === 0 ? "the baseline" : `layer ${at}`}`;
    checkSettings(title, settings);
    return { where: at === 0 ? "" : project, settings, title };
  });
  const row = new Row(all, (key) => key.replaceAll("{project}", project));
  checkRow(project, row);
  const merged = { project, ...row.options(project) };
  recordRow(merged, project, mergeLayers);
  return merged;
}

/** A setting of a layer, in the form that reports print. */
export interface LayerSetting {
  /**
   * The option, key and attribute of the setting in the layer, such as `["protectedEnvironments", "production",
   * "deployAccessLevels"]`.
   */
  readonly path: readonly string[];
  readonly type: string;
  /** The key of the part, such as the name of an environment; undefined if the setting has no keys or covers all keys. */
  readonly key?: string;
  /** The name of the attribute in the schema; undefined if the setting covers all attributes of the part. */
  readonly attribute?: string;
  readonly dropped?: true;
  /**
   * The paths of other projects in this setting, such as an allowlist. If the list of a project contains the project's own path,
   * the fleet removes this path from the list.
   */
  readonly except_own?: readonly string[];
}

/** Returns the settings of a layer, sorted by part in the order of `PARTS`, then in the order of the source. */
export function settingsIn({ settings }: Pick<Layer, "settings">): readonly LayerSetting[] {
  return PARTS.flatMap(({ option, isKeyed, type, othersOnly }) => {
    const leaves = (value: unknown, depth: number, path: readonly string[]): readonly LayerSetting[] => {
      if (depth > 0 && value !== UNMANAGED && Object.keys(value as object).length > 0)
        return Object.entries(value as object).flatMap(([key, one]) =>
          leaves(one, depth - 1, [...path, key]),
        );
      const [key, attribute] = isKeyed
        ? path.slice(1)
        : [undefined, option === "inboundEnabled" ? option : path[1]];
      return [
        {
          path,
          type,
          ...(key !== undefined && { key }),
          ...(attribute !== undefined && { attribute: snake(attribute) }),
          ...(value === UNMANAGED && { dropped: true as const }),
          ...(attribute !== undefined && attribute === othersOnly && Array.isArray(value) && value.length > 0
            ? { except_own: value.filter((one): one is string => typeof one === "string") }
            : {}),
        },
      ];
    };
    const given = settings[option];
    if (given === undefined) return [];
    if (option === "inboundEnabled") return leaves(given, 0, [option]);
    return leaves(given, isKeyed ? 2 : 1, [option]);
  });
}

/**
 * Checks the settings of a layer before the merge.
 *
 * @throws Error for an unknown key, for the value undefined at any depth, and for a key that can't be in an address
 */
export function checkSettings(place: string, settings: object): void {
  refuseUnknownKeys(place, settings, SETTINGS_KEYS);
  for (const { option, attributes, isKeyed } of PARTS) {
    const given: unknown = (settings as Readonly<Record<string, unknown>>)[option];
    if (typeof given !== "object" || given === null || option === "inboundEnabled") continue;
    for (const [key, part] of Object.entries(isKeyed ? given : { "": given })) {
      if (isKeyed && (key === "" || key.includes("${")))
        throw new Error(
          `${place}: ${option} has an empty key, or a reference as key. Write the text itself.`,
        );
      if (typeof part === "object" && part !== null)
        refuseUnknownKeys(
          isKeyed ? `${place}: ${option}[${JSON.stringify(key)}]` : `${place}: ${option}`,
          part,
          attributes,
        );
    }
  }
  refuseUndefined(place, settings, []);
}

const SETTINGS_KEYS: Keys = Object.fromEntries(PARTS.map(({ option }) => [option, true as const]));

function refuseUndefined(place: string, value: unknown, path: readonly string[]): void {
  if (value === undefined || value === null)
    throw new Error(
      `${place}: ${path.join(".")} is ${String(value)}. A condition without a result would undo the layers below. ` +
        "Leave the key out to inherit its value, or write Fleet.unmanaged to drop the setting.",
    );
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) {
    if (Array.isArray(value))
      for (const [index, one] of value.entries()) refuseUndefined(place, one, [...path, String(index)]);
    return;
  }
  for (const [key, one] of Object.entries(value)) refuseUndefined(place, one, [...path, key]);
}

/** Checks the merged settings of a path. @throws Error if a part lacks a required attribute */
export function checkRow(path: string, row: Row): void {
  for (const kind of PARTS) {
    if (kind.required === undefined) continue;
    for (const key of row.keys(kind)) {
      const part = row.part(kind, key)!;
      if (part.has(kind.required)) continue;
      const [setting] = part.values();
      throw new Error(
        `${setting?.layer.title ?? "a layer"}: ${kind.option}[${JSON.stringify(key)}] has no ${kind.required} for ` +
          `${path === "" ? "all projects" : path}: no layer above sets it. Set it, or write Fleet.unmanaged to drop the whole entry.`,
      );
    }
  }
}

/**
 * Checks that the merged settings of a path are not looser than the minimum protection in `floor`.
 *
 * @throws Error for a looser value; the error names the layer that sets the value
 */
export function checkFloor(path: string, row: Row, floor: Row): void {
  for (const kind of PARTS) {
    for (const key of floor.keys(kind)) {
      const least = floor.values(kind, key)!;
      const set = floor.part(kind, key)!;
      const part = row.part(kind, key);
      for (const name of set.keys()) {
        const at = snake(name);
        const only = (values: Record<string, unknown> | null) => values && { [at]: values[at] };
        const found = compareStrictness(kind.type, only(least), only(row.values(kind, key)));
        if (found === "tighter" || found === "equal") continue;
        const setting = part?.get(name);
        throw new Error(
          `${setting?.layer.title ?? "No layer"} ${setting === undefined ? "sets" : `sets ${JSON.stringify(setting.value)} for`} ` +
            `${[kind.option, key, name === kind.option ? "" : name].filter((one) => one !== "").join(".")}` +
            `${path === "" ? "" : ` of ${path}`}, and the floor is ${JSON.stringify(set.get(name)!.value)}: ` +
            `${found === "mixed" ? "it is looser in parts" : "it is looser"}. Layers may tighten the floor, not loosen it.${suggestion(part === undefined ? nearest(key, row.keys(kind)) : undefined)}`,
        );
      }
    }
  }
}

const suggestion = (near: string | undefined): string =>
  near === undefined ? "" : ` Did you mean "${near}"?`;

/** Finds the line of an app's file on which a declaration begins. */
export interface SourceLines {
  /**
   * Returns the position of the first matching line at or after a position, such as `main.ts:12`. Returns `after` if no line
   * matches.
   */
  find(text: RegExp, after: string): string;
}

/**
 * Returns a finder for positions of plain objects in the file of a construct, because synthesis records only the positions of
 * constructs. An object in another file gets the position of the construct.
 *
 * @param position the position of the construct, such as `main.ts:10`
 */
export function sourceLines(position: string | undefined): SourceLines {
  const [, file = ""] = /^(.*):\d+$/.exec(position ?? "") ?? [];
  let lines: readonly string[] = [];
  try {
    lines = readFileSync(path.resolve(file), "utf8").split("\n");
  } catch {
    // Without the file, all layers get the position of the construct. For example, the app can run in another folder.
  }
  return {
    find(text, after) {
      const from = Number(/:(\d+)$/.exec(after)?.[1] ?? 1) - 1;
      const found = lines.findIndex((line, index) => index >= from && text.test(line));
      return found === -1 ? after : `${file}:${found + 1}`;
    },
  };
}

/** Returns an expression that matches a text in TypeScript code, either as a key of an object or as a quoted text. */
export const keyText = (key: string): RegExp =>
  new RegExp(`(?:^|[\\s{,])(?:["'\`]${escaped(key)}["'\`]|${escaped(key)})\\s*[:,}]`);

export const whereText = (where: string): RegExp =>
  new RegExp(`where["']?\\s*:\\s*["'\`]${escaped(where)}["'\`]`);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
