// The live settings of odd. `steward adopt` wrote this file; from here on, it is yours to edit.
//
// Skipped:
// - project odd/old: it is archived
import { App, TerraformStack } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  ContainerProtectionRule,
  Fleet,
  type FleetBaseline,
  type FleetLayerSettings,
  GroupInvitation,
  ProjectSettings,
  ProtectedEnvironment,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { importLiveObjects } from "./imports";

/** The construct id of a project. Addresses in the state follow from it. */
const idOf = (project: string) => project.replaceAll("/", "-");

const MAINTAINERS = [{ accessLevel: AccessLevel.MAINTAINER }];
const EMPTY_ALLOWLIST = { targetProjects: [], targetGroups: [] };

/** What a project has. The layers in its entry change attributes of it; `Fleet.unmanaged` leaves one out. */
const BASELINE: FleetBaseline = { inboundEnabled: false, allowlist: EMPTY_ALLOWLIST };

const PROJECTS: Record<string, readonly FleetLayerSettings[]> = {
  "odd/1st/2nd": [],
  "odd/1st/3rd": [],
  "odd/a-b": [],
  "odd/a.b": [],
  "odd/untouched": [{ inboundEnabled: true }],
};

class OddStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    for (const [project, layers] of Object.entries(PROJECTS)) {
      new ProjectSettings(this, idOf(project), Fleet.merge(project, BASELINE, layers));
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
      project: "odd/hostile",
      inboundEnabled: true,
      allowlist: EMPTY_ALLOWLIST,
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
      project: "odd/hostile",
      name: '${"#"}{TfToken[TOKEN.1]} ${"&"}{TfToken[TOKEN.2]}',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-process-exit-1", {
      project: "odd/hostile",
      name: "`$${process.exit(1)}`",
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-file-etc-passwd", {
      project: "odd/hostile",
      name: '$${file("/etc/passwd")}',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-TfToken-TOKEN-0", {
      project: "odd/hostile",
      name: '${"$"}{TfToken[TOKEN.0]}',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-already-if-true", {
      project: "odd/hostile",
      name: '${"$$"}{already} %%{ if true }',
      deployAccessLevels: MAINTAINERS,
    });

    new ProtectedEnvironment(this, "odd-hostile-three-mixed", {
      project: "odd/hostile",
      name: '${"$$$"}{three} ${"$%"}{mixed}',
      deployAccessLevels: MAINTAINERS,
    });

    new ContainerProtectionRule(this, "odd-hostile-container-rule-x", {
      project: "odd/hostile",
      repositoryPathPattern: "odd/hostile/$${x}*",
      minimumAccessLevelForPush: ContainerAccessLevel.ADMIN,
    });

    new ProjectSettings(this, "odd-open", {
      project: "odd/open",
      inboundEnabled: false,
      allowlist: { targetProjects: ["odd/hostile"], targetGroups: ["odd/1st"] },
    });

    new ProjectSettings(this, "odd-pages", {
      project: "odd/pages",
      inboundEnabled: true,
      allowlist: EMPTY_ALLOWLIST,
      pages: { uniqueDomainEnabled: true, forceHttps: false, primaryDomain: "odd.example" },
    });

    importLiveObjects(this);
  }
}

const app = new App();
new OddStack(app, "odd");
app.synth();
