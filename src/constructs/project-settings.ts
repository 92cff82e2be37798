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
import { ownScope } from "./position";

/** The options of one part: its resource's attributes, without those that {@link ProjectSettings} sets. */
type Part<Config, Filled extends string = never> = Omit<
  Config,
  keyof TerraformMetaArguments | "project" | Filled
>;

/** Options of a {@link ProjectSettings}. An omitted part is not managed. */
export interface ProjectSettingsConfig extends Pick<TerraformMetaArguments, "provider" | "dependsOn"> {
  /** The project, by its numeric id or its full path (such as `acme/web-shop`). */
  readonly project: string;
  /**
   * Whether job tokens of other projects have access only if their project or group is on the allowlist. If
   * omitted, the setting is not managed.
   */
  readonly inboundEnabled?: boolean | IResolvable | undefined;
  /**
   * All projects and groups whose job tokens have access: other entries of the allowlist are removed. Of the
   * two sets, an omitted one is not managed.
   */
  readonly allowlist?: Part<JobTokenAllowlistConfig> | undefined;
  /** Protected environments by name, such as `production`. */
  readonly protectedEnvironments?:
    | Readonly<Record<string, Part<ProtectedEnvironmentConfig, "name">>>
    | undefined;
  /** Container protection rules by pattern, such as `acme/web-shop/release*`. */
  readonly containerProtectionRules?:
    | Readonly<Record<string, Part<ContainerProtectionRuleConfig, "repositoryPathPattern">>>
    | undefined;
  /** Pages settings. Changing them needs an administrator's token. */
  readonly pages?: Part<PagesSettingsConfig> | undefined;
  /** Invitations by invitee: an e-mail address (with its `@`), or a username or numeric id of a user. */
  readonly invitations?:
    | Readonly<Record<string, Part<ProjectInvitationConfig, "email" | "user">>>
    | undefined;
}

/**
 * The settings of one project in one declaration: limit and allowlist of job tokens, protected environments, container
 * protection rules, Pages, invitations. Each part becomes the resource of its own that it would be by hand, under an
 * id that comes from its name, pattern or address: the order in which they are written means nothing.
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
  /** As declared. */
  readonly project: string;
  /** The limit on inbound job tokens, if declared. */
  readonly jobTokenScope: JobTokenScope | undefined;
  /** The allowlist of job tokens, if declared. */
  readonly jobTokenAllowlist: JobTokenAllowlist | undefined;
  /** The Pages settings, if declared. */
  readonly pagesSettings: PagesSettings | undefined;
  /** The protected environments by name. */
  readonly protectedEnvironments: ReadonlyMap<string, ProtectedEnvironment>;
  /** The container protection rules by pattern. */
  readonly containerProtectionRules: ReadonlyMap<string, ContainerProtectionRule>;
  /** The invitations by invitee. */
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
    this.jobTokenScope =
      inboundEnabled === undefined
        ? undefined
        : new JobTokenScope(this, "job-token-scope", { ...common, inboundEnabled });
    this.jobTokenAllowlist =
      allowlist &&
      new JobTokenAllowlist(this, "job-token-allowlist", { ...this.#own("allowlist", allowlist), ...common });
    this.pagesSettings =
      pages && new PagesSettings(this, "pages", { ...this.#own("pages", pages), ...common });
    this.protectedEnvironments = this.#each(
      "protectedEnvironments",
      config.protectedEnvironments,
      (name, part) => new ProtectedEnvironment(this, idOf("environment", name), { ...common, ...part, name }),
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
  }

  /**
   * Returns the protected environment of this name.
   *
   * @throws Error if none is declared here; it lists those that are.
   */
  protectedEnvironment(name: string): ProtectedEnvironment {
    return this.#declared("protected environment", this.protectedEnvironments, name);
  }

  /**
   * Returns the container protection rule with this pattern.
   *
   * @throws Error if none is declared here; it lists those that are.
   */
  containerProtectionRule(pattern: string): ContainerProtectionRule {
    return this.#declared("container protection rule", this.containerProtectionRules, pattern);
  }

  /**
   * Returns the invitation of this e-mail address or user.
   *
   * @throws Error if none is declared here; it lists those that are.
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

  /** Refuses a part that sets what this construct sets: one of both would be dropped. The resource checks all other keys. */
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

/** What parts take from the settings, and from their key. */
const FILLED = ["project", "provider", "dependsOn", "name", "repositoryPathPattern", "email", "user"];

/** Different keys never get one id; cdktf would treat `a/b` and `a--b` as equal, and refuses spaces. */
const idOf = (part: string, key: string): string => `${part}-${encodeURIComponent(key)}`;
