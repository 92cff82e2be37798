import path from "node:path";
import { type PlanMode, planJson } from "../../../src/engine";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { loadConfiguration } from "../../../src/language";
import { createProvider } from "../../../src/provider";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { Company, TOKEN } from "../../plugin/support/company";
import type { Workspace } from "../../plugin/support/workspace";
import { describeWith } from "../../support/capabilities";
import { describeFeature } from "../../support/compatibility";

jest.setTimeout(120_000);

const SOURCE = "registry.steward.example/steward/steward";
const PROVIDER = createProvider();
const TYPES = { managed: PROVIDER.schema.resources, data: PROVIDER.schema.dataSources };

type Json = Record<string, unknown>;

/** A folder that both Terraform and the embedded engine plan, with the same state and service. */
class Both {
  readonly #workspace: Workspace;
  readonly #url: string;

  constructor(workspace: Workspace, url: string) {
    this.#workspace = workspace;
    this.#url = url;
    workspace.delete("versions.tf");
    workspace.delete("provider.tf");
  }

  /** Returns the default provider configuration and a second configuration. */
  providers(alias: string): object[] {
    const settings = { base_url: this.#url, token: TOKEN };
    return [settings, { ...settings, alias }];
  }

  declare(declarations: object): void {
    const configuration = {
      terraform: { required_providers: { steward: { source: SOURCE } } },
      provider: { steward: this.providers("second").slice(0, 1) },
      ...declarations,
    };
    this.#workspace.write("main.tf.json", JSON.stringify(configuration));
  }

  async apply(): Promise<void> {
    const { context, backend } = this.#open();
    const plan = await createPlan(context, await backend.read());
    await applyPlan(context, plan, backend);
  }

  async ours(mode: PlanMode = "normal", more: Partial<RunContext> = {}): Promise<Json> {
    const opened = this.#open();
    const { backend } = opened;
    const context = { ...opened.context, ...more };
    const plan = await createPlan(context, await backend.read(), mode);
    return planJson(plan, ({ mode, type }) => TYPES[mode][type]);
  }

  async theirs(...words: readonly string[]): Promise<Json> {
    await this.#workspace.succeed("plan", "-out=planned", ...words);
    return JSON.parse((await this.#workspace.succeed("show", "-json", "planned")).stdout) as Json;
  }

  #open() {
    const { folder } = this.#workspace;
    const configuration = loadConfiguration(path.join(folder, "main.tf.json"));
    const context = { configuration, variables: {}, providers: { [SOURCE]: PROVIDER } };
    return { context, backend: new LocalBackend(path.join(folder, "terraform.tfstate")) };
  }
}

/**
 * Removes the intended differences between the two plans. The plans differ on purpose: the engine hides sensitive values of
 * the configuration, timestamps differ, and Terraform does not sort relevant attributes.
 */
function withoutExplained(json: Json): unknown {
  const relevant = (json["relevant_attributes"] as unknown[] | undefined)?.map((one) => JSON.stringify(one));
  const text = JSON.stringify({ ...json, timestamp: undefined, relevant_attributes: relevant?.sort() });
  return JSON.parse(text, function (this: Json, key, value: Json) {
    if (key === "token") return undefined;
    if (key !== "secret" || !("sensitive" in value)) return value;
    const { default: _, ...rest } = value;
    return rest;
  });
}

const COMMON = {
  variable: {
    who: { type: "string", default: "devon" },
    secret: { type: "string", sensitive: true, default: "production" },
    number: { type: "number", description: "How many.", default: 2 },
  },
  locals: { project: "${data.steward_project.web.id}" },
};
const WEB = { steward_project: { web: { project: "acme/web-shop" } } };

const FIRST = {
  ...COMMON,
  data: WEB,
  resource: {
    steward_job_token_scope: { limit: { project: "${local.project}", inbound_enabled: true } },
    steward_job_token_allowlist_project: {
      each: {
        for_each: '${toset(["acme/deploy-tools"])}',
        project: "${steward_job_token_scope.limit.project}",
        target_project: "${each.value}",
      },
    },
    steward_protected_environment: {
      production: {
        project: "${data.steward_project.web.id}",
        name: "${var.secret}",
        deploy_access_levels: [{ access_level: 40 }, { user: "${var.who}" }],
      },
    },
  },
  output: {
    environment: { value: "${steward_protected_environment.production.id}" },
    secret: { value: "${var.secret}", sensitive: true },
  },
};

const SECOND = {
  ...COMMON,
  data: { ...WEB, steward_job_token_scope: { late: { project: "${steward_job_token_scope.docs.id}" } } },
  resource: {
    steward_job_token_scope: {
      limit: { project: "${local.project}", inbound_enabled: true },
      docs: {
        project: "acme/docs",
        inbound_enabled: "${steward_job_token_scope.limit.inbound_enabled}",
        depends_on: ["steward_protected_environment.production"],
      },
    },
    steward_protected_environment: {
      production: {
        project: "${data.steward_project.web.id}",
        name: "staging",
        deploy_access_levels: "${[for level in [40] : { access_level = level }]}",
      },
      many: {
        count: "${var.number}",
        project: "acme/docs",
        name: "e${count.index}",
        deploy_access_levels: [{ access_level: 30 }],
      },
    },
  },
  output: {
    environment: {
      value: "${steward_protected_environment.many[0].deploy_access_levels}",
      description: "Who may.",
      depends_on: ["steward_job_token_scope.limit"],
    },
    more: { value: ["${var.number}", "${steward_job_token_scope.docs.id}"] },
  },
};

const without = (json: Json, ...names: readonly string[]): Json =>
  JSON.parse(JSON.stringify(json), (key, value: unknown) =>
    names.includes(key) ? undefined : value,
  ) as Json;

/** The fields about identities, which Terraform has only since 1.12. */
const IDENTITY = ["identity", "identity_schema_version", "before_identity", "after_identity"];

describeWith("terraform", "a plan as JSON is what Terraform shows of the same plan", (engine) =>
  samePlans(engine, (json) => withoutExplained(without(json, ...IDENTITY))),
);
describeFeature("identity", ["terraform-1.16"], (engine) =>
  samePlans(engine, (json) => withoutExplained(without(json, "terraform_version"))),
);

function samePlans(engine: string, compared: (json: Json) => unknown): void {
  let company: Company;
  let both: Both;
  beforeAll(async () => {
    company = await Company.start(engine);
    both = new Both(await company.reattached(), company.service.url);
  });
  afterAll(() => company.end());

  async function sameAsTerraform(mode: PlanMode = "normal", ...words: readonly string[]) {
    const ours = await both.ours(mode);
    expect(compared(ours)).toEqual(compared(await both.theirs(...words)));
    return ours;
  }

  test("the JSON of a plan that only creates objects equals Terraform's JSON", async () => {
    both.declare(FIRST);
    const json = await sameAsTerraform();
    expect(json["resource_changes"]).toHaveLength(3);
  });

  test("the JSON of an empty plan equals Terraform's JSON", async () => {
    await both.apply();
    await sameAsTerraform();
  });

  test("the JSON of a plan with drift, all kinds of changes and a deferred read equals Terraform's JSON", async () => {
    await company.http("PATCH", "/projects/1/job_token_scope", { enabled: false });
    both.declare(SECOND);
    const json = await sameAsTerraform();
    expect(json["resource_drift"]).toHaveLength(1);
    expect(json["resource_changes"]).toHaveLength(7);
  });

  test("the JSON of a destroy plan equals Terraform's JSON", async () => {
    both.declare(FIRST);
    await sameAsTerraform("destroy", "-destroy");
  });

  test("the JSON of a refresh-only plan without changes equals Terraform's JSON", async () => {
    await sameAsTerraform("refresh-only", "-refresh-only");
  });
  test("the JSON of a plan with a requested replacement and conditions equals Terraform's JSON", async () => {
    const scope = FIRST.resource.steward_job_token_scope.limit;
    const condition = { condition: "${self.inbound_enabled}", error_message: "It is off." };
    const limit = { ...scope, lifecycle: { create_before_destroy: true, postcondition: [condition] } };
    both.declare({ ...FIRST, resource: { ...FIRST.resource, steward_job_token_scope: { limit } } });
    const address = "steward_job_token_scope.limit";
    const ours = await both.ours("normal", { replace: [address] });
    expect(compared(ours)).toEqual(compared(await both.theirs(`-replace=${address}`)));
    expect(ours["checks"]).toHaveLength(1);
  });
  test("the JSON of a plan with one target and two provider configurations equals Terraform's JSON", async () => {
    both.declare({ ...SECOND, provider: { steward: both.providers("audit") } });
    const target = "steward_job_token_scope.docs";
    const ours = await both.ours("normal", { targets: [target] });
    expect(compared(ours)).toEqual(compared(await both.theirs(`-target=${target}`)));
  });
}
