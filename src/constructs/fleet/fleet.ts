import {
  Annotations,
  type ITerraformDependable,
  TerraformElement,
  TerraformLocal,
  type TerraformProvider,
  type TerraformResourceConfig,
} from "cdktf";
import { Construct } from "constructs";
import { type Keys, refuseUnknownKeys } from "../keys";
import { callerPosition, ownScope, PositionedResource } from "../position";
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
import {
  type FleetBaseline,
  type FleetLayerSettings,
  PARTS,
  type PartKind,
  snake,
  UNMANAGED,
  type Unmanaged,
} from "./parts";
import {
  checkProjects,
  type FleetList,
  type FleetSelection,
  isSelection,
  projectsExpression,
} from "./selection";

/** Settings of a {@link Fleet} for one part of its projects. */
export interface FleetLayer {
  /** The full path of a group, for all projects below it, or of one project. The deepest layer wins. */
  readonly where: string;
  /** What differs from the layers above. */
  readonly settings: FleetLayerSettings;
  /** Why; reports and `steward explain` show it. */
  readonly reason?: string;
  /** Who answers for it. */
  readonly owner?: string;
  /** The first day, as `YYYY-MM-DD` in UTC, on which the layer holds no longer. */
  readonly until?: string;
}

/** Options of a {@link Fleet}. */
export interface FleetConfig {
  /** The projects of a group, read when a plan is made; or a list of full paths by keys of your own. */
  readonly projects: FleetSelection | FleetList;
  /** The settings of every project. */
  readonly baseline: FleetBaseline;
  /** What differs, by group or project. */
  readonly layers?: readonly FleetLayer[] | undefined;
  /** What no layer may loosen. */
  readonly floor?: FleetLayerSettings | undefined;
  /**
   * What becomes of the settings of a project that leaves the fleet, and of a setting that leaves it. `keep` leaves them as
   * they are on the service, and the state forgets them. `reset` destroys them: protection ends, and defaults come back.
   *
   * @default "keep"
   */
  readonly onLeave?: "keep" | "reset" | undefined;
  readonly provider?: TerraformProvider | undefined;
  /** What the settings wait for; the list of projects waits for nothing. */
  readonly dependsOn?: ITerraformDependable[] | undefined;
}

/** Days before the end of a layer on which synthesis warns. */
const WARNING_DAYS = 14;
const DAY = 24 * 60 * 60 * 1000;

/**
 * One baseline for many projects, with layers for groups and projects that differ. The layers are merged at synthesis into one
 * table; the configuration picks the row of each project, so synthesis does not grow with their number.
 *
 * @example
 * new Fleet(this, "acme", {
 *   projects: { group: "acme", includeSubgroups: true },
 *   baseline: { inboundEnabled: true },
 *   layers: [{ where: "acme/legacy", settings: { inboundEnabled: Fleet.unmanaged }, reason: "mirrors need it" }],
 * });
 */
export class Fleet extends Construct {
  /** Drops a setting in a layer: its live value stays as it is, and the state forgets it. */
  static readonly unmanaged: Unmanaged = UNMANAGED;
  /** Merges layers for one project into the options of a {@link ProjectSettings}: `Fleet.merge("acme/web", baseline, [layer])`. */
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
    this.#declare(config, rows);
    new FleetMetadata(this, "fleet", {
      path: this.node.path,
      ...(position !== undefined && { position }),
      onLeave: config.onLeave ?? "keep",
      members: this.#name("projects"),
      ...(isSelection(config.projects) && { selection: selectionOf(config.projects) }),
      layers: layers.map(({ where, positionOf, declared, ...layer }) => ({
        where,
        position: positionOf([]),
        ...Object.fromEntries(
          ["reason", "owner", "until"].flatMap((key) => {
            const text = (declared as Readonly<Record<string, unknown>> | undefined)?.[key];
            return text === undefined ? [] : [[key, text]];
          }),
        ),
        settings: settingsIn(layer).map(({ path, ...setting }) => ({
          ...setting,
          position: positionOf(path),
        })),
      })),
    });
  }

  #layers(config: FleetConfig, place: string, position: string | undefined) {
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
        layers.push({
          where,
          settings,
          title: `[${this.node.path}] ${title}`,
          positionOf: at(begin),
          declared,
        });
    }
    return layers;
  }

  /** Whether a layer has not ended. */
  #isCurrent(title: string, until: string): boolean {
    const end = /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(until) : Number.NaN;
    if (Number.isNaN(end))
      throw new Error(
        `[${this.node.path}] ${title}: until is ${JSON.stringify(until)}. Write a day as YYYY-MM-DD.`,
      );
    const left = end - Date.now();
    if (left <= 0)
      Annotations.of(this).addWarning(
        `${title} ended on ${until}: the layers above it hold. Remove it, or give it another day.`,
      );
    else if (left < WARNING_DAYS * DAY) Annotations.of(this).addWarning(`${title} ends on ${until}.`);
    return left > 0;
  }

  #declare(config: FleetConfig, rows: ReadonlyMap<string, Row>): void {
    const { provider, onLeave, dependsOn } = config;
    const isListed = isSelection(config.projects);
    new TerraformLocal(this, "projects", projectsExpression(this, config.projects, provider));
    const keys = new Map(
      PARTS.map((kind) => [kind, new Set([...rows.values()].flatMap((row) => [...row.keys(kind)]))]),
    );
    const table = (row: Row) =>
      Object.fromEntries(
        PARTS.map((kind) => [
          snake(kind.option),
          kind.isKeyed
            ? Object.fromEntries([...keys.get(kind)!].map((key) => [key, row.values(kind, key)]))
            : row.values(kind, ""),
        ]),
      );
    new TerraformLocal(
      this,
      "layers",
      Object.fromEntries([...rows].map(([where, row]) => [where, table(row)])),
    );
    new TerraformLocal(this, "paths", Object.fromEntries([...rows.keys()].map((where) => [where, true])));
    const [projects, layers, wheres] = ["projects", "layers", "paths"].map((id) => `local.${this.#name(id)}`);
    // The longest prefix of the path that is the path of a layer; the baseline's is empty.
    const prefix = 'join("/", slice(split("/", lower(path)), 0, n))';
    new TerraformLocal(
      this,
      "rows",
      `\${{ for key, path in ${projects} : key => [for n in range(length(split("/", path)), -1, -1) : ${prefix} if lookup(${wheres}, ${prefix}, false)][0] }}`,
    );
    for (const kind of PARTS) {
      const resource = new FleetResource(this, kind, rows, {
        terraformResourceType: kind.type,
        terraformGeneratorMetadata: { providerName: "steward" },
        ...(provider && { provider }),
        ...(dependsOn && { dependsOn }),
        ...(onLeave !== "reset" && { lifecycle: { preventDestroy: true } }),
      });
      const key = kind.isKeyed ? "each.value.project" : "each.key";
      const row = kind.isKeyed ? "each.value.row" : "each.value";
      const part = `${layers}[${row}].${snake(kind.option)}${kind.isKeyed ? "[each.value.key]" : ""}`;
      resource.addOverride("for_each", this.#forEach(kind));
      resource.addOverride("project", `\${${isListed ? key : `${projects}[${key}]`}}`);
      for (const name of Object.keys(kind.attributes))
        resource.addOverride(snake(name), `\${${part}.${snake(name)}}`);
      for (const [name, value] of Object.entries(KEY_ATTRIBUTES[kind.option] ?? {}))
        resource.addOverride(name, `\${${value}}`);
      resource.addOverride("//.fleet", this.#name("projects"));
    }
  }

  /** An expression for the projects whose layers have this part, or for each of its keys in them. */
  #forEach({ option, isKeyed }: PartKind): string {
    const [rows, layers] = [`local.${this.#name("rows")}`, `local.${this.#name("layers")}`];
    const column = `${layers}[row].${snake(option)}`;
    if (!isKeyed) return `\${{ for key, row in ${rows} : key => row if ${column} != null }}`;
    const text = `replace(part, "{project}", local.${this.#name("projects")}[key])`;
    const each = `{ for part, values in ${column} : "\${key}:\${part}" => { project = key, row = row, key = part, text = ${text} } if values != null }`;
    return `\${merge({}, [for key, row in ${rows} : ${each}]...)}`;
  }

  #name(id: string): string {
    return this.node.tryFindChild(id) instanceof TerraformLocal
      ? (this.node.findChild(id) as TerraformLocal).friendlyUniqueId
      : id;
  }
}

interface DeclaredLayer extends Layer {
  readonly declared?: FleetLayer;
  /** The position of a setting in it, by its path. */
  readonly positionOf: (path: readonly string[]) => string | undefined;
}

/** The attributes that come from the key of a part. */
const KEY_ATTRIBUTES: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = {
  protectedEnvironments: { name: "each.value.text" },
  containerProtectionRules: { repository_path_pattern: "each.value.text" },
  invitations: {
    email: 'length(regexall("@", each.value.text)) > 0 ? each.value.text : null',
    user: 'length(regexall("@", each.value.text)) > 0 ? null : each.value.text',
  },
};

const LAYER_KEYS: Keys = { where: true, settings: true, reason: true, owner: true, until: true };
const FLEET_KEYS: Keys = {
  ...{ projects: true, baseline: true, layers: true, floor: true, onLeave: true, provider: true },
  dependsOn: true,
};

const selectionOf = ({ group, includeSubgroups = false, topics = [], except = [] }: FleetSelection) => ({
  ...{ kind: "project", within: { kind: "group", name: group } },
  ...{ nested: includeSubgroups, labels: topics, except },
});

/** The resource of one kind for all projects of a fleet. */
export class FleetResource extends PositionedResource {
  /** What the layers declare of this kind, for checks at synthesis: the values of each row. */
  readonly declared: readonly {
    readonly where: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];

  constructor(
    scope: Construct,
    kind: PartKind,
    rows: ReadonlyMap<string, Row>,
    config: TerraformResourceConfig,
  ) {
    super(scope, kind.id, config);
    this.declared = [...rows].flatMap(([where, row]) =>
      [...row.keys(kind)].map((key) => ({
        where,
        attributes: withoutNulls({ ...row.values(kind, key), ...keyOf(kind, key) }),
      })),
    );
  }
}

/** What is declared, as a resource of its own would declare it. */
const withoutNulls = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value as object).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutNulls(one)])) as T;
};

const keyOf = ({ option }: PartKind, key: string): Readonly<Record<string, string>> =>
  option === "invitations"
    ? { [key.includes("@") ? "email" : "user"]: key }
    : Object.fromEntries(Object.keys(KEY_ATTRIBUTES[option] ?? {}).map((name) => [name, key]));

/** What the configuration says about a fleet to those who read it: comments that no program evaluates. */
class FleetMetadata extends TerraformElement {
  readonly #fleet: Readonly<Record<string, unknown>> & { readonly members: string };

  constructor(
    scope: Construct,
    id: string,
    fleet: Readonly<Record<string, unknown>> & { readonly members: string },
  ) {
    super(scope, id);
    this.#fleet = fleet;
  }

  override toMetadata(): object {
    return { fleets: { [this.#fleet.members]: this.#fleet } };
  }

  override toTerraform(): object {
    return {};
  }

  override toHclTerraform(): object {
    return {};
  }
}
