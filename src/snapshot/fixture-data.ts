/** A fixture of the embedded service as this room writes it: plain data, without what has the service's default value. */
export interface FixtureData {
  readonly instance?: InstanceData | undefined;
  readonly users: readonly UserData[];
  readonly groups: readonly GroupData[];
  readonly projects: readonly ProjectData[];
}

export interface InstanceData {
  readonly pages_enabled?: false | undefined;
  readonly pages_host?: string | undefined;
}

export interface UserData {
  readonly username: string;
  readonly id: number;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly state?: string | undefined;
}

export interface MemberData {
  readonly user: string;
  readonly role: string;
  readonly member_role?: number | undefined;
  readonly expires_at?: string | undefined;
}

export interface ShareData {
  readonly group: string;
  readonly role: string;
  readonly expires_at?: string | undefined;
}

export interface InvitationData {
  readonly email: string;
  readonly role: string;
  readonly expires_at?: string | undefined;
  readonly created_at?: string | undefined;
  readonly created_by?: string | undefined;
  readonly queued_user?: string | undefined;
}

export interface MemberRoleData {
  readonly id: number;
  readonly name: string;
  readonly base_role: string;
}

/** What groups and projects have in common. */
export interface ContainerData {
  readonly path: string;
  /** Missing for a group that is known by the paths below it alone. */
  readonly id?: number | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly visibility?: string | undefined;
  readonly members?: readonly MemberData[] | undefined;
  readonly shared_with?: readonly ShareData[] | undefined;
  readonly invitations?: readonly InvitationData[] | undefined;
}

export interface GroupData extends ContainerData {
  readonly member_roles?: readonly MemberRoleData[] | undefined;
}

export interface EnvironmentData {
  readonly name: string;
  readonly tier?: string | undefined;
  readonly external_url?: string | undefined;
  readonly description?: string | undefined;
}

export interface ScopeData {
  readonly inbound_enabled?: false | undefined;
  readonly outbound_enabled?: true | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
}

/** Who may deploy or approve: exactly one of user, group and access level. */
export interface EntryData {
  readonly user?: string | undefined;
  readonly group?: string | undefined;
  readonly access_level?: number | undefined;
  readonly group_inheritance_type?: number | undefined;
  readonly required_approvals?: number | undefined;
}

export interface ProtectionData {
  readonly name: string;
  readonly required_approval_count?: number | undefined;
  readonly deploy_access_levels: readonly EntryData[];
  readonly approval_rules?: readonly EntryData[] | undefined;
}

export interface DeploymentData {
  readonly path_prefix?: string | undefined;
  readonly created_at?: string | undefined;
  readonly root_directory?: string | undefined;
}

export interface PagesData {
  readonly unique_domain_enabled?: true | undefined;
  readonly force_https?: false | undefined;
  readonly primary_domain?: string | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly deployments?: readonly DeploymentData[] | undefined;
}

export interface RuleData {
  readonly id: number;
  readonly repository_path_pattern: string;
  readonly minimum_access_level_for_push?: string | undefined;
  readonly minimum_access_level_for_delete?: string | undefined;
}

export interface ProjectData extends ContainerData {
  readonly default_branch?: string | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly archived?: true | undefined;
  readonly environments?: readonly (string | EnvironmentData)[] | undefined;
  readonly job_token_scope?: ScopeData | undefined;
  readonly protected_environments?: readonly ProtectionData[] | undefined;
  readonly pages?: PagesData | undefined;
  readonly container_rules?: readonly RuleData[] | undefined;
}

/** The names of access levels in a fixture. */
const ROLES: Readonly<Record<number, string>> = {
  0: "no_access",
  5: "minimal",
  10: "guest",
  15: "planner",
  20: "reporter",
  30: "developer",
  40: "maintainer",
  50: "owner",
};

/** Undefined for a level that is none of a member, a share or an invitation. */
export const roleWord = (level: number): string | undefined => ROLES[level];

/** The value, unless it is missing or the default of the embedded service. */
export const otherThan = <Value>(usual: Value, value: Value | null | undefined): Value | undefined =>
  value === null || value === usual ? undefined : value;

/** The list, unless it is empty. */
export const given = <Element>(list: readonly Element[]): readonly Element[] | undefined =>
  list.length === 0 ? undefined : list;

/** A date or timestamp; the first moment of a day is written as its date. */
export const dateText = (text: string | null | undefined): string | undefined =>
  text?.replace(/T00:00:00(\.0+)?(Z|\+00:00)$/, "") || undefined;
