import { type IResolvable, type TerraformMetaArguments, Token } from "cdktf";
import { Construct } from "constructs";
import { isKnown } from "./declared/declared-resource";
import {
  ContainerProtectionRule,
  type ContainerProtectionRuleConfig,
  JobTokenAllowlist,
  type JobTokenAllowlistConfig,
  JobTokenScope,
  PagesSettings,
  type PagesSettingsConfig,
  ProjectInvitation,
  type ProjectInvitationConfig,
  ProtectedEnvironment,
  type ProtectedEnvironmentConfig,
} from "./generated";
import { type Keys, refuseUnknownKeys } from "./keys";
import { enterRow, ownScope, rowOf } from "./position";

/**
 * The options of one part of the settings. The options are the attributes of the part's resource, without the attributes that
 * {@link ProjectSettings} sets itself.
 */
type Part<Config, Filled extends string = never> = Omit<
  Config,
  keyof TerraformMetaArguments | "project" | Filled
>;

/**
 * Options of {@link ProjectSettings}. Steward neither reads nor changes the settings of a part that was never declared. If
 * you remove a part after an apply, the next apply destroys its objects.
 */
export interface ProjectSettingsConfig extends Pick<TerraformMetaArguments, "provider" | "dependsOn"> {
  /** The project, by its numeric id or its full path (such as `acme/web-shop`). */
  readonly project: string;
  /**
   * Whether the project limits access with job tokens of other projects. With `true`, CI jobs of other projects can access this
   * project only if their project or group is on the allowlist. With `false`, jobs of every project on the instance can access
   * this project.
   */
  readonly inboundEnabled?: boolean | IResolvable | undefined;
  /**
   * The complete allowlist of job tokens. Apply removes all other entries from the platform. If you omit `targetProjects` or
   * `targetGroups`, Steward does not change the entries of this kind.
   *
   * @example { targetProjects: ["acme/deploy-tools"], targetGroups: [] }
   */
  readonly allowlist?: Part<JobTokenAllowlistConfig> | undefined;
  /**
   * Protected environments by name. Only the declared users, groups and roles can deploy to a protected environment. Steward does
   * not change other environments.
   *
   * @example { production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] } }
   */
  readonly protectedEnvironments?:
    | Readonly<Record<string, Part<ProtectedEnvironmentConfig, "name">>>
    | undefined;
  /**
   * Container protection rules by the pattern of image paths. Users below the minimum level of a rule can't push or delete
   * matching images.
   *
   * @example { "acme/web-shop/release*": { minimumAccessLevelForPush: "maintainer" } }
   */
  readonly containerProtectionRules?:
    | Readonly<Record<string, Part<ContainerProtectionRuleConfig, "repositoryPathPattern">>>
    | undefined;
  /** Settings of the project's website (Pages). On some releases, only an administrator's token can change these settings. */
  readonly pages?: Part<PagesSettingsConfig> | undefined;
  /**
   * Invitations by e-mail address, username or numeric user ID. Apply sends an invitation. If you remove a pending invitation
   * from the code, apply withdraws the invitation. A person who has accepted stays a member.
   *
   * @example { "ada@example.com": { accessLevel: AccessLevel.DEVELOPER } }
   */
  readonly invitations?:
    | Readonly<Record<string, Part<ProjectInvitationConfig, "email" | "user">>>
    | undefined;
}

/**
 * Declares the settings of one project in one place: limit and allowlist of job tokens, protected environments, container
 * protection rules, Pages and invitations. Each part becomes a separate resource. The address of the resource contains the name,
 * pattern or invitee, so a new order of the parts changes nothing.
 *
 * @example
 * new ProjectSettings(this, "web-shop", {
 *   project: "acme/web-shop",
 *   inboundEnabled: true,
 *   allowlist: { targetProjects: ["acme/deploy-tools"] },
 *   protectedEnvironments: {
 *     production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
 *   },
 *   invitations: { "ada@example.com": { accessLevel: AccessLevel.DEVELOPER } },
 * });
 */
export class ProjectSettings extends Construct {
  /** The project's path or numeric ID, as the code declares it. */
  readonly project: string;
  /** The construct for the limit on inbound job tokens; undefined if the limit is not declared. */
  readonly jobTokenScope: JobTokenScope | undefined;
  /** The construct for the allowlist of job tokens; undefined if the allowlist is not declared. */
  readonly jobTokenAllowlist: JobTokenAllowlist | undefined;
  /** The construct for the Pages settings; undefined if these settings are not declared. */
  readonly pagesSettings: PagesSettings | undefined;
  /** The constructs for the protected environments, by name. */
  readonly protectedEnvironments: ReadonlyMap<string, ProtectedEnvironment>;
  /** The constructs for the container protection rules, by pattern. */
  readonly containerProtectionRules: ReadonlyMap<string, ContainerProtectionRule>;
  /** The constructs for the invitations, by e-mail address, username or user ID. */
  readonly invitations: ReadonlyMap<string, ProjectInvitation>;

  constructor(scope: Construct, id: string, config: ProjectSettingsConfig) {
    super(ownScope(scope, id), id);
    refuseUnknownKeys(this, config, SETTINGS_KEYS);
    const { project, inboundEnabled, allowlist, pages } = config;
    const common = {
      project,
      ...(config.provider && { provider: config.provider }),
      ...(config.dependsOn && { dependsOn: config.dependsOn }),
    };
    this.project = project;
    const leave = enterRow(rowOf(config));
    try {
      this.jobTokenScope =
        inboundEnabled === undefined
          ? undefined
          : new JobTokenScope(this, "job-token-scope", { ...common, inboundEnabled });
      this.jobTokenAllowlist =
        allowlist &&
        new JobTokenAllowlist(this, "job-token-allowlist", {
          ...this.#own("allowlist", allowlist),
          ...common,
        });
      this.pagesSettings =
        pages && new PagesSettings(this, "pages", { ...this.#own("pages", pages), ...common });
      this.protectedEnvironments = this.#each(
        "protectedEnvironments",
        config.protectedEnvironments,
        (name, part) =>
          new ProtectedEnvironment(this, idOf("environment", name), { ...common, ...part, name }),
      );
      this.containerProtectionRules = this.#each(
        "containerProtectionRules",
        config.containerProtectionRules,
        (pattern, part) =>
          new ContainerProtectionRule(this, idOf("container-rule", pattern), {
            ...common,
            ...part,
            repositoryPathPattern: pattern,
          }),
      );
      this.invitations = this.#each(
        "invitations",
        config.invitations,
        (who, part) =>
          new ProjectInvitation(this, idOf("invitation", who), {
            ...common,
            ...part,
            ...(who.includes("@") ? { email: who } : { user: who }),
          }),
      );
    } finally {
      leave();
    }
  }

  /**
   * Returns the construct for the protected environment with this name.
   *
   * @throws Error if this construct does not declare the environment; the error lists the declared names
   */
  protectedEnvironment(name: string): ProtectedEnvironment {
    return this.#declared("protected environment", this.protectedEnvironments, name);
  }

  /**
   * Returns the construct for the container protection rule with this pattern.
   *
   * @throws Error if this construct does not declare the rule; the error lists the declared patterns
   */
  containerProtectionRule(pattern: string): ContainerProtectionRule {
    return this.#declared("container protection rule", this.containerProtectionRules, pattern);
  }

  /**
   * Returns the construct for the invitation of this e-mail address or user.
   *
   * @throws Error if this construct does not declare the invitation; the error lists the declared invitees
   */
  invitation(who: string): ProjectInvitation {
    return this.#declared("invitation", this.invitations, who);
  }

  #each<P extends object, R>(
    option: string,
    parts: Readonly<Record<string, P>> = {},
    make: (key: string, part: P) => R,
  ): ReadonlyMap<string, R> {
    return new Map(
      Object.entries(parts).map(([key, part]) => {
        if (key === "" || Token.isUnresolved(key) || !isKnown(key)) {
          throw new Error(
            `[${this.node.path}] ${option}: a key is ${key === "" ? "empty" : "a reference"}. Keys ` +
              "become construct ids, which must be known at synthesis. Write the text itself, or declare " +
              "this part as a separate resource.",
          );
        }
        return [key, make(key, this.#own(`${option}[${JSON.stringify(key)}]`, part))];
      }),
    );
  }

  /**
   * Rejects a part with an attribute that `ProjectSettings` sets itself. The attribute would have two values, and one of them
   * would be lost. The construct of the part's resource checks all other keys.
   */
  #own<P extends object>(option: string, part: P): P {
    const filled = FILLED.find((key) => (part as Readonly<Record<string, unknown>>)[key] !== undefined);
    if (filled === undefined) return part;
    throw new Error(
      `[${this.node.path}] ${option} has the key "${filled}", which ProjectSettings sets for all parts. Remove it.`,
    );
  }

  #declared<R>(what: string, parts: ReadonlyMap<string, R>, key: string): R {
    const part = parts.get(key);
    if (part === undefined) {
      const named = parts.size === 0 ? "none" : [...parts.keys()].join(", ");
      throw new Error(`[${this.node.path}] declares no ${what} "${key}". Declared: ${named}.`);
    }
    return part;
  }
}

const SETTINGS_KEYS: Keys = {
  project: true,
  inboundEnabled: true,
  allowlist: true,
  protectedEnvironments: true,
  containerProtectionRules: true,
  pages: true,
  invitations: true,
  provider: true,
  dependsOn: true,
};

/**
 * The attributes that a part must not set. `ProjectSettings` sets these attributes from its other options or from the key of the
 * part.
 */
const FILLED = ["project", "provider", "dependsOn", "name", "repositoryPathPattern", "email", "user"];

/**
 * Returns the construct id of a part. The key is encoded, so that different keys have different ids: otherwise, cdktf would
 * treat `a/b` and `a--b` as equal, and would reject spaces.
 */
const idOf = (part: string, key: string): string => `${part}-${encodeURIComponent(key)}`;
