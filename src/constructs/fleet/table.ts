import { TerraformLocal, type TerraformResourceConfig } from "cdktf";
import type { Construct } from "constructs";
import { PositionedResource } from "../position";
import type { Row } from "./layers";
import { type FleetConfig, PARTS, type PartKind, snake } from "./parts";
import { isSelection, type ProjectList, selectProjects } from "./selection";

/** The merged settings by the path of a layer; the baseline has an empty path. */
type Rows = ReadonlyMap<string, Row>;

/** An HCL expression for the first `n` segments of a project's path. The expression uses the variables `path` and `n`. */
const PREFIX = 'join("/", slice(split("/", lower(path)), 0, n))';

/**
 * Declares the table of merged settings, and one resource for each kind of setting. Each instance of a resource belongs to one
 * project. The values of an instance come from the row with the longest path that applies to the project.
 *
 * @returns the name of the local value with the projects, and the data sources that this value reads
 */
export function declareTable(
  fleet: Construct,
  { projects: selected, provider, onLeave, dependsOn }: FleetConfig,
  rows: Rows,
): { readonly members: string; readonly lists: readonly ProjectList[] } {
  const local = (id: string, value: unknown): string =>
    `local.${new TerraformLocal(fleet, id, value).friendlyUniqueId}`;
  const { expression, lists } = selectProjects(fleet, selected, provider);
  const projects = local("projects", expression);
  const members = projects.slice("local.".length);
  const layers = local("layers", tableOf(rows));
  const paths = local("paths", Object.fromEntries([...rows.keys()].map((where) => [where, true])));
  const rowOfEach = local(
    "rows",
    `\${{ for key, path in ${projects} : key => [for n in range(length(split("/", path)), -1, -1) : ${PREFIX} if lookup(${paths}, ${PREFIX}, false)][0] }}`,
  );
  for (const kind of PARTS) {
    const resource = new FleetResource(fleet, kind, rows, {
      terraformResourceType: kind.type,
      terraformGeneratorMetadata: { providerName: "steward" },
      ...(provider && { provider }),
      ...(dependsOn && { dependsOn }),
      ...(onLeave !== "reset" && { lifecycle: { preventDestroy: true } }),
    });
    const [key, row, part] = kind.isKeyed
      ? ["each.value.project", "each.value.row", "[each.value.key]"]
      : ["each.key", "each.value", ""];
    const column = `${layers}[${row}].${snake(kind.option)}${part}`;
    resource.addOverride("for_each", forEach(kind, projects, layers, rowOfEach));
    resource.addOverride("project", `\${${isSelection(selected) ? key : `${projects}[${key}]`}}`);
    const path = `${projects}[${key}]`;
    for (const name of Object.keys(kind.attributes)) {
      const value = `${column}.${snake(name)}`;
      const isFiltered = name === kind.othersOnly && namesOthers(kind, name, rows);
      resource.addOverride(snake(name), `\${${isFiltered ? withoutOwn(value, path) : value}}`);
    }
    for (const [name, value] of Object.entries(KEY_ATTRIBUTES[kind.option] ?? {}))
      resource.addOverride(name, `\${${value}}`);
    resource.addOverride("//.fleet", members);
    resource.addOverride("//.fleet_part", kind.id);
  }
  return { members, lists };
}

/**
 * Returns an HCL expression that removes the project with this path from a list. A list in a layer for several projects can
 * name each of these projects, but no project may be on its own list.
 */
const withoutOwn = (list: string, path: string): string =>
  `${list} == null ? null : [for entry in ${list} : entry if lower(entry) != lower(${path})]`;

/** Returns whether an attribute lists other projects in at least one row. Any attribute that is an expression counts too. */
const namesOthers = (kind: PartKind, name: string, rows: Rows): boolean =>
  [...rows.values()].some((row) => {
    const value = row.part(kind, "")?.get(name)?.value;
    return value !== undefined && (!Array.isArray(value) || value.length > 0);
  });

/**
 * Returns the table of merged settings, with a row for each layer. HCL requires equal keys in all rows, so a setting that a row
 * does not declare is null.
 */
function tableOf(rows: Rows): object {
  const keys = new Map(
    PARTS.map((kind) => [kind, new Set([...rows.values()].flatMap((row) => [...row.keys(kind)]))]),
  );
  const columns = (row: Row) =>
    PARTS.map((kind) => [
      snake(kind.option),
      kind.isKeyed
        ? Object.fromEntries([...keys.get(kind)!].map((key) => [key, row.values(kind, key)]))
        : row.values(kind, ""),
    ]);
  return Object.fromEntries([...rows].map(([where, row]) => [where, Object.fromEntries(columns(row))]));
}

/**
 * Returns the `for_each` expression of a resource. The resource has an instance for each project that the setting is declared
 * for. For a setting with keys, the resource has an instance for each key of a project.
 */
function forEach({ option, isKeyed }: PartKind, projects: string, layers: string, rows: string): string {
  const column = `${layers}[row].${snake(option)}`;
  if (!isKeyed) return `\${{ for key, row in ${rows} : key => row if ${column} != null }}`;
  const text = `replace(part, "{project}", ${projects}[key])`;
  const each = `{ for part, values in ${column} : "\${key}:\${part}" => { project = key, row = row, key = part, text = ${text} } if values != null }`;
  return `\${merge({}, [for key, row in ${rows} : ${each}]...)}`;
}

/** HCL expressions for the attributes that contain the key of a part, by option and attribute. */
const KEY_ATTRIBUTES: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = {
  protectedEnvironments: { name: "each.value.text" },
  containerProtectionRules: { repository_path_pattern: "each.value.text" },
  invitations: {
    email: 'length(regexall("@", each.value.text)) > 0 ? each.value.text : null',
    user: 'length(regexall("@", each.value.text)) > 0 ? null : each.value.text',
  },
};

/** The resource for one kind of setting, with an instance for each project of the fleet. */
export class FleetResource extends PositionedResource {
  /** The values in each row of the table, with the path of the row's layer. Checks at synthesis read these values. */
  readonly declared: readonly {
    readonly where: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];

  constructor(scope: Construct, kind: PartKind, rows: Rows, config: TerraformResourceConfig) {
    super(scope, kind.id, config);
    this.declared = [...rows].flatMap(([where, row]) =>
      [...row.keys(kind)].map((key) => ({
        where,
        attributes: withoutNulls({ ...row.values(kind, key), ...keyOf(kind, key) }),
      })),
    );
  }
}

/** Makes a value comparable with the value of a separate resource: returns it without null attributes. */
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
