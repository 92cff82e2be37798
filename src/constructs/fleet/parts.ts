import type { IResolvable, ITerraformDependable, TerraformProvider } from "cdktf";
import type { Keys } from "../keys";
import type { ProjectSettingsConfig } from "../project-settings";
import type { FleetList, FleetSelection } from "./selection";

/** What drops a setting in a layer: `Fleet.unmanaged`. */
export const UNMANAGED: unique symbol = Symbol.for("steward.unmanaged");
export type Unmanaged = typeof UNMANAGED;

type Settings = Omit<ProjectSettingsConfig, "project" | "provider" | "dependsOn">;
type Part<Option extends keyof Settings> = NonNullable<Settings[Option]>;
type Layered<Attributes> = { readonly [Name in keyof Attributes]?: Attributes[Name] | Unmanaged };
type LayeredByKey<Parts> = { readonly [Key in keyof Parts]: Layered<Parts[Key]> | Unmanaged };

/** The baseline of a fleet: the shape of a `ProjectSettings`. In keys, `{project}` is the full path of each project. */
export interface FleetBaseline extends Settings {}

/** What a layer changes. What it leaves out stays as it is; lists are replaced as a whole. */
export interface FleetLayerSettings {
  readonly inboundEnabled?: boolean | IResolvable | Unmanaged;
  readonly allowlist?: Layered<Part<"allowlist">> | Unmanaged;
  readonly protectedEnvironments?: LayeredByKey<Part<"protectedEnvironments">> | Unmanaged;
  readonly containerProtectionRules?: LayeredByKey<Part<"containerProtectionRules">> | Unmanaged;
  readonly pages?: Layered<Part<"pages">> | Unmanaged;
  readonly invitations?: LayeredByKey<Part<"invitations">> | Unmanaged;
}

/** Settings of a `Fleet` for one part of its projects. */
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
  /**
   * Whether the fleet may have no project at or below `where`. Otherwise such a layer is an error of the plan.
   *
   * @default false
   */
  readonly allowEmpty?: boolean;
}

/** Options of a `Fleet`. */
export interface FleetConfig {
  /** The projects of a group, read when a plan is made; or a list of full paths, by keys of your own or without. */
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

/** One part of the settings: the resource that it becomes, and the attributes that a layer sets. */
export interface PartKind {
  readonly option: keyof FleetLayerSettings;
  readonly type: string;
  /** The id of the construct below the fleet, and the name in the table of layers. */
  readonly id: string;
  /** Whether there is one for each key, such as an environment's name. */
  readonly isKeyed: boolean;
  readonly attributes: Keys;
  readonly required?: string;
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

/** The attributes of a part under the schema's names, with null for what it leaves out: all parts of a kind have one shape. */
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
