// An app of several stacks for a pipeline. The states are on the platform in CI, and in files on a user's machine.
import path from "node:path";
import { App, HttpBackend, LocalBackend, TerraformStack } from "cdktf";
import {
  AccessLevel,
  JobTokenAllowlist,
  ProtectedEnvironment,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";

/** The parts that all stacks have: the provider and the place of the state. */
class Settings extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from the environment, never from here
    const { CI_API_V4_URL: api, CI_PROJECT_ID: project } = process.env;
    if (api === undefined) {
      // Puts the state next to the app. A relative path would begin in the output folder of the synthesis.
      new LocalBackend(this, { path: path.resolve(`terraform.${id}.tfstate`) });
      return;
    }
    // User and password come from TF_HTTP_USERNAME and TF_HTTP_PASSWORD: see pipeline.yml.
    const address = `${api}/projects/${project}/terraform/state/${id}`;
    const lock = { lockAddress: `${address}/lock`, lockMethod: "POST" };
    const unlock = { unlockAddress: `${address}/lock`, unlockMethod: "DELETE" };
    new HttpBackend(this, { address, ...lock, ...unlock });
  }
}

class WebShop extends Settings {
  constructor(scope: Construct) {
    super(scope, "web-shop");
    const project = "acme/web-shop";
    new JobTokenAllowlist(this, "callers", { project, targetProjects: ["acme/deploy-tools"] });
    const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
    new ProtectedEnvironment(this, "production", { project, name: "production", deployAccessLevels });
  }
}

class Docs extends Settings {
  constructor(scope: Construct) {
    super(scope, "docs");
    new JobTokenAllowlist(this, "callers", { project: "acme/docs", targetProjects: ["acme/web-shop"] });
  }
}

const app = new App();
new WebShop(app);
new Docs(app);
app.synth();
