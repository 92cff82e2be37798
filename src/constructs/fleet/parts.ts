import type { IResolvable, ITerraformDependable, TerraformProvider } from "cdktf";
import type { Keys } from "../keys";
import type { ProjectSettingsConfig } from "../project-settings";
import type { FleetList, FleetSelection } from "./selection";

/** The value of `Fleet.unmanaged`. In a layer, this value excludes a setting. */
export const UNMANAGED: unique symbol = Symbol.for("steward.unmanaged");
export type Unmanaged = typeof UNMANAGED;

type Settings = Omit<ProjectSettingsConfig, "project" | "provider" | "dependsOn">;
type Part<Option extends keyof Settings> = NonNullable<Settings[Option]>;
type Layered<Attributes> = { readonly [Name in keyof Attributes]?: Attributes[Name] | Unmanaged };
type LayeredByKey<Parts> = { readonly [Key in keyof Parts]: Layered<Parts[Key]> | Unmanaged };

/**
 * The settings that all projects of a fleet share, as options of `ProjectSettings`. In a key, `{project}` is the full path of
 * each project.
 */
export interface FleetBaseline extends Settings {}

/**
 * The settings that a layer changes. If the layer omits a setting, the value of the baseline or of an earlier layer applies. A
 * list replaces this value; the two lists are not merged.
 */
export interface FleetLayerSettings {
  readonly inboundEnabled?: boolean | IResolvable | Unmanaged;
  readonly allowlist?: Layered<Part<"allowlist">> | Unmanaged;
  readonly protectedEnvironments?: LayeredByKey<Part<"protectedEnvironments">> | Unmanaged;
  readonly containerProtectionRules?: LayeredByKey<Part<"containerProtectionRules">> | Unmanaged;
  readonly pages?: Layered<Part<"pages">> | Unmanaged;
  readonly invitations?: LayeredByKey<Part<"invitations">> | Unmanaged;
}

/**
 * The differences of a group or a project from the baseline of a `Fleet`.
 *
 * @example { where: "acme/legacy", settings: { inboundEnabled: Fleet.unmanaged }, reason: "mirrors need it" }
 */
export interface FleetLayer {
  /**
   * The full path of a project or a group. A layer for a group applies to all its projects. If several layers set one setting of
   * a project, the layer with the longest path wins.
   */
  readonly where: string;
  /** The settings that differ from the baseline and from layers with shorter paths. */
  readonly settings: FleetLayerSettings;
  /** The reason for the difference. Reports and `steward explain` show this reason. */
  readonly reason?: string;
  /** The person or team that is responsible for the layer. */
  readonly owner?: string;
  /**
   * The first day without the layer, as `YYYY-MM-DD` in UTC, such as `2027-01-31`. From this day, synthesis ignores the layer,
   * and the next apply restores the settings that apply without the layer. Synthesis warns in the last 14 days.
   */
  readonly until?: string;
  /**
   * Whether the layer can match no project. If false, the plan reports an error for a layer without projects.
   *
   * @default false
   */
  readonly allowEmpty?: boolean;
}

/** The options of a `Fleet` construct. */
export interface FleetConfig {
  /**
   * The projects of the fleet: a group, or a list of full paths. Steward lists the projects of a group for each plan. The keys of
   * a list become part of the addresses in the state.
   *
   * @example { group: "acme", includeSubgroups: true }
   * @example ["acme/web", "acme/api"]
   */
  readonly projects: FleetSelection | FleetList;
  /** The settings of every project. A layer can change these settings for some projects. */
  readonly baseline: FleetBaseline;
  /** The differences of groups and projects from the baseline. */
  readonly layers?: readonly FleetLayer[] | undefined;
  /**
   * The minimum protection of every project. Synthesis fails if a layer loosens one of these settings.
   *
   * @example { inboundEnabled: true }
   */
  readonly floor?: FleetLayerSettings | undefined;
  /**
   * The treatment of settings that the fleet no longer declares, because a project or a declaration was removed. With `keep`, the
   * platform keeps these settings, and Steward no longer manages them. With `reset`, apply destroys these settings, so that
   * protections end.
   *
   * @default "keep"
   */
  readonly onLeave?: "keep" | "reset" | undefined;
  /** The provider for all settings of the fleet and for the list of projects. */
  readonly provider?: TerraformProvider | undefined;
  /**
   * Resources that apply creates or updates before the settings of the fleet. The plan reads the list of projects, so the list
   * does not wait for these resources.
   */
  readonly dependsOn?: ITerraformDependable[] | undefined;
}

/** One kind of setting, such as Pages: its option, its resource type, and the attributes that a layer can set. */
export interface PartKind {
  readonly option: keyof FleetLayerSettings;
  readonly type: string;
  /** The id of the construct for the resource, below the fleet. */
  readonly id: string;
  /** Whether a project can have several parts of this kind. Each of these parts has a key, such as the name of an environment. */
  readonly isKeyed: boolean;
  readonly attributes: Keys;
  readonly required?: string;
  /**
   * The attribute with a list of other projects; undefined if this kind has none. If the list of a project contains the project
   * itself, the fleet removes this project from the list.
   */
  readonly othersOnly?: string;
}

const WHO: Keys = { user: true, group: true, accessLevel: true, groupInheritanceType: true };

export const PARTS: readonly PartKind[] = [
  {
    option: "inboundEnabled",
    type: "steward_job_token_scope",
    id: "job-token-scope",
    isKeyed: false,
    attributes: { inboundEnabled: true },
  },
  {
    option: "allowlist",
    type: "steward_job_token_allowlist",
    id: "job-token-allowlist",
    isKeyed: false,
    othersOnly: "targetProjects",
    attributes: { targetProjects: true, targetGroups: true },
  },
  {
    option: "protectedEnvironments",
    type: "steward_protected_environment",
    id: "environments",
    isKeyed: true,
    required: "deployAccessLevels",
    attributes: { deployAccessLevels: WHO, approvalRules: { ...WHO, requiredApprovals: true } },
  },
  {
    option: "containerProtectionRules",
    type: "steward_container_protection_rule",
    id: "container-rules",
    isKeyed: true,
    attributes: { minimumAccessLevelForPush: true, minimumAccessLevelForDelete: true },
  },
  {
    option: "pages",
    type: "steward_pages_settings",
    id: "pages",
    isKeyed: false,
    attributes: {
      uniqueDomainEnabled: true,
      forceHttps: true,
      primaryDomain: true,
      unpublishOnDestroy: true,
    },
  },
  {
    option: "invitations",
    type: "steward_project_invitation",
    id: "invitations",
    isKeyed: true,
    required: "accessLevel",
    attributes: { accessLevel: true, expiresAt: true, memberRoleId: true, inviteSource: true },
  },
];

/**
 * Returns all attributes of a part under the names in the schema. Omitted attributes are null, because HCL requires equal keys
 * for all parts of a kind.
 */
export function schemaValues(
  { attributes }: PartKind,
  values: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, keys]) => [snake(name), shaped(values.get(name), keys)]),
  );
}

function shaped(value: unknown, keys: Keys | true | undefined): unknown {
  if (value === undefined) return null;
  if (keys === true || keys === undefined || !Array.isArray(value)) return value;
  return value.map((element: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.keys(keys).map((name) => [snake(name), element[name] ?? null])),
  );
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
