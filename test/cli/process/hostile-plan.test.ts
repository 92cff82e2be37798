import { existsSync, symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { changedPlan } from "../support/changed-plan";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

// Plans are stored as artifacts that others may modify, including the checksum.

const HERE = ["--config", "."];
const FILE = "plan.steward";
const EVIL = "node -e \"require('fs').writeFileSync('pwned', '')\"";
const modules = path.join(__dirname, "..", "..", "..", "node_modules");

const place = usePlace("each");

const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");

async function savedPlan(...args: string[]): Promise<void> {
  expect((await place.run(["plan", "--out", FILE, ...(args.length > 0 ? args : HERE)])).code).toBe(0);
  place.service.requests.reset();
}

const change = (edit: (body: string) => string) => place.write(FILE, changedPlan(place.read(FILE), edit));

// biome-ignore lint/suspicious/noExplicitAny: the edits set values of wrong types at any place of the document.
const changeJson = (edit: (body: any) => void) =>
  change((text) => {
    const body = JSON.parse(text) as unknown;
    edit(body);
    return JSON.stringify(body);
  });

/** Applies the plan, which has to be refused with this message without sending anything. */
async function refused(message: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, err } = await place.run(["apply", FILE, ...args], env);
  expect(err.replaceAll(/\s+│?\s*/g, " ")).toContain(message);
  expect({ code, writes: writes() }).toEqual({ code: 1, writes: [] });
  expect(err).not.toContain("Internal error");
}

describe("the app's command", () => {
  const APP = `const { App, TerraformStack } = require("cdktf");
const app = new App();
const stack = new TerraformStack(app, "web");
stack.addOverride("terraform.required_providers.steward.source", "registry.steward.example/steward/steward");
stack.addOverride("provider.steward", [{}]);
stack.addOverride("resource.steward_job_token_scope.limit", { project: "acme/shop", inbound_enabled: true });
app.synth();`;
  const env = { NODE_PATH: modules };

  test("in a manipulated plan was executed by apply", async () => {
    await savedPlan();
    changeJson((body) => {
      body.command = { app: EVIL, stacks: ["web"] };
      body.app = EVIL;
    });
    await refused("Saved plan is damaged");
    expect(existsSync(path.join(place.folder, "pwned"))).toBe(false);
  });

  test.each(["source", "stacks.0", "stacks.0.plan", "stacks.0.plan.record", "stacks.0.plan.basis"])(
    "a plan may not name the app's command in %s",
    async (where) => {
      await savedPlan();
      changeJson((body) => {
        const object = where.split(".").reduce((at, step) => at[step], body);
        object.app = EVIL;
      });
      await refused('Unrecognized key: "app"');
      expect(existsSync(path.join(place.folder, "pwned"))).toBe(false);
    },
  );

  test("the app's command is not saved in a plan: apply takes it from --app, STEWARD_APP or cdktf.json", async () => {
    place.write("app.js", APP);
    const planned = await place.run(["plan", "--out", FILE, "--app", "node app.js"], env);
    expect(planned.out).toContain(`steward apply ${FILE} --app 'node app.js'`);
    expect(place.read(FILE)).not.toContain("app.js");
    await refused("No app to synthesize", [], env);
    place.write("cdktf.json", { language: "typescript", app: EVIL });
    const applied = await place.run(["apply", FILE], { ...env, STEWARD_APP: "node app.js" });
    expect({ code: applied.code, sent: writes().length }).toEqual({ code: 0, sent: 1 });
    expect(existsSync(path.join(place.folder, "pwned"))).toBe(false);
  });
});

describe("apply performs exactly what the saved plan shows", () => {
  test("a plan whose operations differed from the shown changes was applied", async () => {
    await savedPlan();
    change((body) => {
      const at = body.lastIndexOf('"access_level":40');
      return `${body.slice(0, at)}"access_level":60${body.slice(at + '"access_level":40'.length)}`;
    });
    await refused("Saved plan");
  });

  test("a changed value is refused with address and attribute", async () => {
    await savedPlan();
    changeJson(({ stacks: [{ plan }] }) => {
      plan.record.changes.find(
        ({ type }: { type: string }) => type === "steward_protected_environment",
      ).after.name = "staging";
    });
    await refused('"name" of steward_protected_environment.production after');
  });

  test("a plan without one of its changes is refused with the address", async () => {
    await savedPlan();
    changeJson(({ stacks: [{ plan }] }) => {
      plan.record.changes = plan.record.changes.filter(
        ({ type }: { type: string }) => type !== "steward_job_token_scope",
      );
    });
    await refused("steward_job_token_scope.limit");
  });
});

describe("a file that shows other live settings than there are", () => {
  /** What the service pretended when the plan was made: a file with every trace of the truth forged. */
  test("a file with other live settings was applied: it showed one added rule, and lowered approvals and removed entries", async () => {
    const production = {
      ...CONFIGURATION.resource.steward_protected_environment.production,
      approval_rules: [{ access_level: 40, required_approvals: 1 }],
    };
    const allowlist = { project: "acme/shop", target_projects: ["acme/tools"] };
    const declare = (...levels: object[]) =>
      place.write("main.tf.json", {
        ...CONFIGURATION,
        resource: {
          steward_protected_environment: { production: { ...production, deploy_access_levels: levels } },
          steward_job_token_allowlist: { callers: allowlist },
        },
      });
    declare({ access_level: 40 });
    expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
    declare({ access_level: 40 }, { access_level: 30 });
    await savedPlan();
    const url = "/projects/1/protected_environments/production";
    const approvals = { approval_rules: [{ access_level: 30, required_approvals: 3 }] };
    expect(await place.byHand("PUT", url, approvals)).toBe(200);
    const added = await place.byHand("POST", "/projects/1/job_token_scope/allowlist", {
      target_project_id: 3,
    });
    expect(added).toBe(201);
    place.service.requests.reset();
    expect((await place.run(["show", FILE])).out).toContain("0 to add, 1 to change, 0 to destroy");
    await refused("Live settings have changed since the plan");
  });

  // biome-ignore lint/suspicious/noExplicitAny: what JSON holds.
  type Plan = any;
  const FORGERIES: readonly (readonly [string, (plan: Plan) => void])[] = [
    [
      "the live value that a create replaces",
      ({ record }) => {
        record.changes.find(({ replaced }: Plan) => replaced).replaced.live = { inbound_enabled: true };
      },
    ],
    [
      "no live value where a create replaces one",
      ({ record }) => {
        for (const one of record.changes) delete one.replaced;
      },
    ],
    [
      "another line of the code",
      ({ record }) => {
        record.changes[0].position = "other.ts:1";
      },
    ],
    [
      "another identity",
      ({ record }) => {
        record.changes[0].afterIdentity = { project: "7" };
      },
    ],
    [
      "another project",
      ({ record }) => {
        record.changes[0].path = "acme/harmless";
      },
    ],
    [
      "a warning that nothing gives",
      ({ record }) =>
        void record.diagnostics.push({
          severity: "warning",
          code: "objects_forgotten",
          summary: "All is well",
          detail: "Approve this.",
        }),
    ],
  ];

  test.each(FORGERIES)("a file that shows other live settings is refused with %s", async (_, forge) => {
    await savedPlan();
    changeJson(({ stacks: [{ plan }] }) => forge(plan));
    await refused("from the file");
  });

  test("a file is refused without a warning that the plan gave", async () => {
    await place.run(["apply", "--auto-approve", ...HERE]);
    await savedPlan(...HERE, "--target", "steward_job_token_scope.limit");
    changeJson(({ stacks: [{ plan }] }) => void plan.record.diagnostics.pop());
    await refused('the warning "Resource targeting is in effect" comes up now');
  });
});

describe("a saved plan can't name paths outside the working folder", () => {
  beforeEach(() => {
    place.write("infra/main.tf.json", CONFIGURATION);
    place.write("work/.keep", "");
  });

  test.each(["../infra", "/etc", "..", "inside/../../infra"])("as its configuration: %s", async (config) => {
    await savedPlan("--config", "infra");
    changeJson((body) => {
      body.source.config = config;
    });
    await refused("which is outside the working folder");
  });

  test("as its state, not even by a link, and nothing is written there", async () => {
    await savedPlan("--config", "infra", "--state", "web.tfstate");
    const original = place.read(FILE);
    const outside = path.join(path.dirname(place.folder), `${path.basename(place.folder)}-outside`);
    for (const state of [outside, `../${path.basename(outside)}`, "link"]) {
      if (state === "link") symlinkSync(outside, path.join(place.folder, "link"));
      place.write(FILE, original);
      changeJson((body) => {
        body.source.state = state;
      });
      await refused("which is outside the working folder");
      expect(existsSync(outside)).toBe(false);
    }
    unlinkSync(path.join(place.folder, "link"));
  });

  test("if it was planned with one, the option must be given again", async () => {
    const planned = await place.runIn("work", ["plan", "--out", FILE, "--config", "../infra"]);
    expect(planned.out).toContain(`steward apply ${FILE} --config ../infra`);
    const without = await place.runIn("work", ["apply", FILE]);
    expect(without.err).toContain("Give --config again");
    expect(writes()).toEqual([]);
    expect((await place.runIn("work", ["apply", FILE, "--config", "../infra"])).code).toBe(0);
  });

  test("paths inside are reported unless the command line names them", async () => {
    await savedPlan("--config", "infra", "--state", "web.tfstate");
    const { err } = await place.run(["apply", FILE]);
    expect(err).toContain("From the saved plan: the configuration in infra and the state in web.tfstate.");
  });
});

describe("a saved plan can't decide where the token is sent", () => {
  const withAddress = () => ({
    ...CONFIGURATION,
    variable: { url: { type: "string" }, colour: { type: "string", default: "red" } },
    locals: { address: "${var.url}" },
    provider: { steward: [{ base_url: "${local.address}" }] },
  });
  const elsewhere = "http://127.0.0.1:9";

  test("a variable for base_url must be given again: it was read from the file", async () => {
    place.write("main.tf.json", withAddress());
    const given = { STEWARD_BASE_URL: "", TF_VAR_url: place.service.url, TF_VAR_colour: "blue" };
    expect((await place.run(["plan", "--out", FILE, ...HERE], given)).code).toBe(0);
    const original = place.read(FILE);
    place.service.requests.reset();
    change((body) => body.replaceAll(place.service.url, elsewhere));
    await refused('"url", which decides where the token is sent', [], { STEWARD_BASE_URL: "" });
    await refused("the given value is not the one of the plan", [], given);
    place.write(FILE, original);
    await refused("it was not given", [], { STEWARD_BASE_URL: "" });
    expect(place.service.requests.all).toEqual([]);
    // The file has another variable.
    const { TF_VAR_colour: _, ...needed } = given;
    expect((await place.run(["apply", FILE], needed)).code).toBe(0);
  });

  test("a data source that configures a provider is read again", async () => {
    place.write("main.tf.json", {
      ...CONFIGURATION,
      data: {
        ...CONFIGURATION.data,
        terraform_remote_state: { address: { backend: "local", config: { path: "address.tfstate" } } },
      },
      provider: { steward: [{ base_url: "${data.terraform_remote_state.address.outputs.url}" }] },
    });
    place.write("address.tfstate", {
      version: 4,
      terraform_version: "1.11.4",
      serial: 1,
      lineage: "one",
      outputs: { url: { value: place.service.url, type: "string" } },
      resources: [],
    });
    const env = { STEWARD_BASE_URL: "", STEWARD_TOKEN: TOKENS.maintainer };
    expect((await place.run(["plan", "--out", FILE, ...HERE], env)).code).toBe(0);
    change((body) => body.replaceAll(place.service.url, elsewhere));
    place.service.requests.reset();
    await refused("terraform_remote_state.address", [], env);
  });
});
