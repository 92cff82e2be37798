import type { IResolvable, ITerraformDependable, TerraformProvider } from "cdktf";
import type { Keys } from "../keys";
import type { ProjectSettingsConfig } from "../project-settings";
import type { FleetList, FleetSelection } from "./selection";

/** The value of `Fleet.unmanaged`, which excludes a setting in a layer. */
export const UNMANAGED: unique symbol = Symbol.for("steward.unmanaged");
export type Unmanaged = typeof UNMANAGED;

type Settings = Omit<ProjectSettingsConfig, "project" | "provider" | "dependsOn">;
type Part<Option extends keyof Settings> = NonNullable<Settings[Option]>;
type Layered<Attributes> = { readonly [Name in keyof Attributes]?: Attributes[Name] | Unmanaged };
type LayeredByKey<Parts> = { readonly [Key in keyof Parts]: Layered<Parts[Key]> | Unmanaged };

/**
 * The settings that all projects of a fleet share, as options of `ProjectSettings`. In a key, `{project}`
 * means the full path of each project.
 */
export interface FleetBaseline extends Settings {}

/**
 * The settings that a layer changes. A setting that the layer omits keeps its value. A list replaces the
 * whole earlier list.
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
 * Settings for a group or a project of a `Fleet` that differ from the baseline.
 *
 * @example { where: "acme/legacy", settings: { inboundEnabled: Fleet.unmanaged }, reason: "mirrors need it" }
 */
export interface FleetLayer {
  /**
   * The full path of a project, or of a group, whose projects all get the layer. If several layers set the same setting of a
   * project, the layer with the longest path wins.
   */
  readonly where: string;
  /** The settings that differ from the baseline and from layers with shorter paths. */
  readonly settings: FleetLayerSettings;
  /** The reason for the difference. Reports and `steward explain` show it. */
  readonly reason?: string;
  /** The person or team that is responsible for the layer. */
  readonly owner?: string;
  /**
   * The day on which the layer ends, as `YYYY-MM-DD` in UTC, such as `2027-01-31`. From this day, synthesis
   * ignores the layer, and the next apply restores the earlier settings. Synthesis warns 14 days before.
   */
  readonly until?: string;
  /**
   * Allows a layer that matches no project. Otherwise, the plan reports an error for such a layer.
   *
   * @default false
   */
  readonly allowEmpty?: boolean;
}

/** Options of a `Fleet`. */
export interface FleetConfig {
  /**
   * The projects of the fleet: a group, whose projects Steward lists for each plan, or a list of full paths.
   * The keys of a list become part of the addresses in the state.
   *
   * @example { group: "acme", includeSubgroups: true }
   * @example ["acme/web", "acme/api"]
   */
  readonly projects: FleetSelection | FleetList;
  /** The settings of every project, unless a layer changes them. */
  readonly baseline: FleetBaseline;
  /** The settings of groups and projects that differ from the baseline. */
  readonly layers?: readonly FleetLayer[] | undefined;
  /**
   * The minimum protection: synthesis fails if a layer loosens one of these settings.
   *
   * @example { inboundEnabled: true }
   */
  readonly floor?: FleetLayerSettings | undefined;
  /**
   * The treatment of settings when a project leaves the fleet, or when the code no longer declares them. With `keep`, the
   * platform keeps these settings, and Steward no longer manages them. With `reset`, apply destroys them, so that protections
   * end.
   *
   * @default "keep"
   */
  readonly onLeave?: "keep" | "reset" | undefined;
  /** The provider of all settings and of the list of projects. */
  readonly provider?: TerraformProvider | undefined;
  /**
   * Resources that apply creates or updates before the settings of the fleet. The list of projects does not wait for them,
   * because the plan reads it.
   */
  readonly dependsOn?: ITerraformDependable[] | undefined;
}

/** One part of the settings, such as Pages: its resource, and the attributes that a layer can set. */
export interface PartKind {
  readonly option: keyof FleetLayerSettings;
  readonly type: string;
  /** The id of the resource's construct below the fleet. */
  readonly id: string;
  /**
   * Whether a project can have several parts of this kind. Each then has a key, such as the name of an
   * environment.
   */
  readonly isKeyed: boolean;
  readonly attributes: Keys;
  readonly required?: string;
  /**
   * The attribute that lists other projects, if the part has one. In the settings of each project, the fleet removes the
   * project itself from the list.
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
 * Returns the attributes of a part under the schema's names. Omitted attributes are null, so that all parts of a kind have
 * the same keys.
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
