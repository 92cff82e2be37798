import { Annotations, TerraformElement } from "cdktf";
import { Construct } from "constructs";
import { type Keys, refuseUnknownKeys } from "../keys";
import { callerPosition, ownScope } from "../position";
import { emptyDrops } from "./empty-drops";
import {
  checkFloor,
  checkRow,
  checkSettings,
  keyText,
  type Layer,
  layersOf,
  mergeLayers,
  Row,
  settingsIn,
  sourceLines,
  whereText,
} from "./layers";
import { type FleetConfig, type FleetLayer, UNMANAGED, type Unmanaged } from "./parts";
import { checkProjects, type FleetSelection, isSelection } from "./selection";
import { declareSelectorChecks } from "./selector-checks";
import { declareTable } from "./table";

/** Synthesis warns if a layer ends within this number of days. */
const WARNING_DAYS = 14;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Declares shared settings for many projects, and layers for the groups and projects that differ. Each plan reads the list of the
 * group's projects, so a new project gets the settings with the next apply.
 *
 * @example
 * new Fleet(this, "acme", {
 *   projects: { group: "acme", includeSubgroups: true },
 *   baseline: { inboundEnabled: true },
 *   layers: [{ where: "acme/legacy", settings: { inboundEnabled: Fleet.unmanaged }, reason: "mirrors need it" }],
 * });
 */
export class Fleet extends Construct {
  /**
   * The value that excludes a setting in a layer, as in `settings: { inboundEnabled: Fleet.unmanaged }`. The platform keeps the
   * live value, and Steward no longer manages the setting.
   */
  static readonly unmanaged: Unmanaged = UNMANAGED;
  /**
   * Merges a baseline and layers for one project, and returns options of {@link ProjectSettings}, as in
   * `Fleet.merge("acme/web", baseline, [layer])`.
   */
  static readonly merge = mergeLayers;

  constructor(scope: Construct, id: string, config: FleetConfig) {
    super(ownScope(scope, id), id);
    refuseUnknownKeys(this, config, FLEET_KEYS);
    const position = callerPosition(Fleet);
    const place = `[${this.node.path}]${position === undefined ? "" : ` ${position}`}`;
    checkProjects(place, config.projects);
    const layers = this.#layers(config, place, position);
    const rows = new Map(layers.map(({ where }) => [where.toLowerCase(), new Row(layersOf(where, layers))]));
    for (const [where, row] of rows) checkRow(where, row);
    if (config.floor !== undefined) {
      checkSettings(`${place}: floor`, config.floor);
      const floor = new Row([{ where: "", settings: config.floor, title: "the floor" }]);
      for (const [where, row] of rows) checkFloor(where, row, floor);
    }
    this.#warnOfEmptyDrops(layers);
    const table = declareTable(this, config, rows);
    const { members, lists } = table;
    const selectorChecks = declareSelectorChecks(this, config, layers, table);
    new FleetMetadata(this, members, {
      path: this.node.path,
      position,
      onLeave: config.onLeave ?? "keep",
      members,
      ...(isSelection(config.projects) && { selection: selectionOf(config.projects) }),
      ...(lists.length > 0 && { lists }),
      ...(selectorChecks.length > 0 && { selector_checks: selectorChecks }),
      layers: layers.map(({ where, positionOf, settings, reason, owner, until, allowEmpty }) => ({
        where,
        position: positionOf([]),
        reason,
        owner,
        until,
        ...(allowEmpty === true && { allow_empty: true }),
        settings: settingsIn({ settings }).map(({ path, ...setting }) => ({
          ...setting,
          position: positionOf(path),
        })),
      })),
    });
  }

  #layers(config: FleetConfig, place: string, position: string | undefined): DeclaredLayer[] {
    const lines = sourceLines(position);
    const start = lines.find(keyText("baseline"), position ?? "");
    const at = (begin: string) => (path: readonly string[]) =>
      path.reduce((from, key) => lines.find(keyText(key), from), begin) || undefined;
    const titled = (what: string, begin: string) => (begin === "" ? what : `${what} (${begin})`);
    checkSettings(`${place}: baseline`, config.baseline);
    const layers: DeclaredLayer[] = [
      { where: "", settings: config.baseline, title: titled("The baseline", start), positionOf: at(start) },
    ];
    const seen = new Set([""]);
    for (const declared of config.layers ?? []) {
      const { where, settings, until } = declared;
      const begin = lines.find(whereText(where), position ?? "");
      const title = titled(`The layer ${JSON.stringify(where)}`, begin);
      refuseUnknownKeys(`[${this.node.path}] ${title}`, declared, LAYER_KEYS);
      if (typeof where !== "string" || !/^[^/\s${}]+(\/[^/\s${}]+)*$/.test(where))
        throw new Error(
          `[${this.node.path}] ${title}: where must be the full path of a group or project, such as "acme/web".`,
        );
      if (seen.has(where.toLowerCase()))
        throw new Error(`[${this.node.path}] ${title} is declared twice. Merge the two into one.`);
      seen.add(where.toLowerCase());
      checkSettings(`[${this.node.path}] ${title}`, settings);
      if (until === undefined || this.#isCurrent(title, until))
        layers.push({ ...declared, title: `[${this.node.path}] ${title}`, positionOf: at(begin) });
    }
    return layers;
  }

  /**
   * Warns about each setting that a layer excludes although no layer above declares it. The author probably meant another
   * setting.
   */
  #warnOfEmptyDrops(layers: readonly DeclaredLayer[]): void {
    for (const { layer, path, near } of emptyDrops(layers)) {
      const position = layer.positionOf(path);
      Annotations.of(this).addWarning(
        `${layer.title} drops ${path.join(".")}, which no layer above it declares, so it drops nothing.` +
          `${near === undefined ? "" : ` Did you mean "${near}"?`} Correct the name, or remove the line` +
          `${position === undefined ? "." : ` (${position}).`}`,
      );
    }
  }

  /** Returns whether a layer has not ended. Warns about a layer that has ended or will end soon. */
  #isCurrent(title: string, until: string): boolean {
    const end = /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(until) : Number.NaN;
    if (Number.isNaN(end))
      throw new Error(
        `[${this.node.path}] ${title}: until is ${JSON.stringify(until)}. Write a day as YYYY-MM-DD.`,
      );
    const left = end - Date.now();
    if (left <= 0)
      Annotations.of(this).addWarning(
        `${title} expired on ${until}, so the layers above it apply. Remove it, or set a later day.`,
      );
    else if (left < WARNING_DAYS * DAY) Annotations.of(this).addWarning(`${title} ends on ${until}.`);
    return left > 0;
  }
}

interface DeclaredLayer
  extends Layer,
    Partial<Pick<FleetLayer, "reason" | "owner" | "until" | "allowEmpty">> {
  /**
   * Returns the file and line of a setting in the layer. `path` contains the option, the key and the attribute of the setting.
   */
  readonly positionOf: (path: readonly string[]) => string | undefined;
}

const LAYER_KEYS: Keys = {
  where: true,
  settings: true,
  reason: true,
  owner: true,
  until: true,
  allowEmpty: true,
};
const FLEET_KEYS: Keys = {
  projects: true,
  baseline: true,
  layers: true,
  floor: true,
  onLeave: true,
  provider: true,
  dependsOn: true,
};

const selectionOf = ({
  group,
  includeSubgroups = false,
  topics = [],
  except = [],
  allowEmpty = false,
}: FleetSelection) => ({
  kind: "project",
  within: { kind: "group", name: group },
  nested: includeSubgroups,
  labels: topics,
  except,
  ...(allowEmpty && { allow_empty: true }),
});

/**
 * Writes a comment with the data of the fleet into the configuration. Steward's engine and reports read the comment, and
 * Terraform ignores it.
 */
class FleetMetadata extends TerraformElement {
  constructor(
    scope: Construct,
    private readonly members: string,
    private readonly fleet: object,
  ) {
    super(scope, "fleet");
  }

  override toMetadata(): object {
    return { fleets: { [this.members]: this.fleet } };
  }
}
