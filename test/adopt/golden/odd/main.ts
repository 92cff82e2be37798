// The live settings of odd. `steward adopt` wrote this file; from here on, it is yours to edit.
//
// Skipped:
// - project odd/old: it is archived
import { App, TerraformStack } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  ContainerProtectionRule,
  GroupInvitation,
  JobTokenScope,
  ProjectSettings,
  type ProjectSettingsConfig,
  ProtectedEnvironment,
  type ProtectedEnvironmentDeployAccessLevels,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { importLiveObjects } from "./imports";

/** The construct id of a project. Addresses in the state follow from it. */
const idOf = (project: string) => project.replaceAll("/", "-");

const HOSTILE = "odd/hostile";
const MAINTAINERS: ProtectedEnvironmentDeployAccessLevels[] = [{ accessLevel: AccessLevel.MAINTAINER }];

const LIKE_2ND_PROJECTS = ["odd/1st/2nd", "odd/1st/3rd", "odd/a-b", "odd/a.b"];

const LIKE_2ND_SETTINGS: Omit<ProjectSettingsConfig, "project"> = { inboundEnabled: false };

class OddStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    for (const project of LIKE_2ND_PROJECTS) {
      new ProjectSettings(this, idOf(project), { project, ...LIKE_2ND_SETTINGS });
    }

    new GroupInvitation(this, "odd-invitation-expired-example-com", {
      group: "odd",
      email: "expired@example.com",
      accessLevel: AccessLevel.DEVELOPER,
      expiresAt: "2020-01-31",
    });

    new GroupInvitation(this, "odd-invitation-o-neill-shop-example-com", {
      group: "odd",
      email: "o'neill+shop@example.com",
      accessLevel: AccessLevel.GUEST,
    });

    new ProjectSettings(this, "odd-hostile", {
      project: HOSTILE,
      inboundEnabled: true,
      protectedEnvironments: {
        ["__proto__"]: { deployAccessLevels: MAINTAINERS },
        "-": { deployAccessLevels: MAINTAINERS },
        "0": { deployAccessLevels: MAINTAINERS },
        constructor: { deployAccessLevels: MAINTAINERS },
        Default: { deployAccessLevels: MAINTAINERS },
        "review--feature a": { deployAccessLevels: MAINTAINERS },
        "review/feature a": { deployAccessLevels: MAINTAINERS },
        "right\u202eto left\u200b\ufeff": { deployAccessLevels: MAINTAINERS },
        'say "hello", it\'s \\here\\': { deployAccessLevels: MAINTAINERS },
        toString: { deployAccessLevels: MAINTAINERS },
        "two\nlines\r\n\tand */ a comment //": { deployAccessLevels: MAINTAINERS },
        "日本語 ☕ café": { deployAccessLevels: MAINTAINERS },
      },
      containerProtectionRules: {
        "odd/hostile/`%%{y}`": { minimumAccessLevelForDelete: ContainerAccessLevel.OWNER },
        "*": { minimumAccessLevelForDelete: ContainerAccessLevel.OWNER },
      },
    });

    new ProtectedEnvironment(this, "odd-hostile-TfToken-TOKEN-1-TfToken-TOKEN-2", {
      project: HOSTILE,
      name: '${"#"}{TfToken[TOKEN.1]} ${"&"}{TfToken[TOKEN.2]}',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-process-exit-1", {
      project: HOSTILE,
      name: "`$${process.exit(1)}`",
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-file-etc-passwd", {
      project: HOSTILE,
      name: '$${file("/etc/passwd")}',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-TfToken-TOKEN-0", {
      project: HOSTILE,
      name: '${"$"}{TfToken[TOKEN.0]}',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-already-if-true", {
      project: HOSTILE,
      name: '${"$$"}{already} %%{ if true }',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-three-mixed", {
      project: HOSTILE,
      name: '${"$$$"}{three} ${"$%"}{mixed}',
      deployAccessLevels: MAINTAINERS,
    });

    new ContainerProtectionRule(this, "odd-hostile-container-rule-x", {
      project: HOSTILE,
      repositoryPathPattern: "odd/hostile/$${x}*",
      minimumAccessLevelForPush: ContainerAccessLevel.ADMIN,
    });

    new ProjectSettings(this, "odd-open", {
      project: "odd/open",
      inboundEnabled: false,
      allowlist: { targetProjects: [HOSTILE], targetGroups: ["odd/1st"] },
    });

    new ProjectSettings(this, "odd-pages", {
      project: "odd/pages",
      inboundEnabled: true,
      pages: { uniqueDomainEnabled: true, forceHttps: false, primaryDomain: "odd.example" },
    });

    new JobTokenScope(this, "odd-untouched-job-token-scope", {
      project: "odd/untouched",
      inboundEnabled: true,
    });

    importLiveObjects(this);
  }
}

const app = new App();
new OddStack(app, "odd");
app.synth();
