import { ReattachedWorkspace } from "../../plugin/support/reattached-workspace";
import { describeWith } from "../../support/capabilities";
import { openPlace, type Place, TOKENS } from "../support/place";

// The tests use real plans of Terraform, because some differences between configurations do not appear in the documented plan
// format.

jest.setTimeout(180_000);

const PROJECT = "acme/shop";
const scope = (project: string, more: object = {}) => ({ project, inbound_enabled: true, ...more });
const localExec = (command: string) => ({ "local-exec": { command } });

describeWith("terraform", "an approval of Terraform's plan", (terraform) => {
  let place: Place;
  let workspace: ReattachedWorkspace;
  beforeEach(async () => {
    place = await openPlace();
    workspace = await ReattachedWorkspace.open(terraform);
    for (const name of ["other", "evil"])
      workspace.write(
        `${name}.tfstate`,
        JSON.stringify({
          version: 4,
          terraform_version: "1.11.4",
          serial: 1,
          lineage: name,
          outputs: {},
          resources: [],
        }),
      );
    workspace.write(
      "module/main.tf.json",
      JSON.stringify({
        terraform: {
          required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
        },
        resource: { steward_job_token_scope: { inner: scope("acme/tools") } },
      }),
    );
  });
  afterEach(async () => {
    await workspace.close();
    await place.close();
  });

  /** Returns another address of the same service. */
  const elsewhere = () => place.service.url.replace("127.0.0.1", "localhost");

  interface Parts {
    readonly address: unknown;
    readonly limit: object;
    readonly inner: string;
    readonly provisioners: readonly object[];
    readonly state: string;
    readonly moreData: object;
    readonly output: string;
    readonly host: string;
    readonly condition: string;
    readonly more: object;
  }

  /** Returns a configuration with every part that an approval covers. */
  const configuration = (parts: Partial<Parts> = {}) => {
    const { url } = place.service;
    const { address = url, limit = {}, inner = "steward", provisioners = [localExec("date")] } = parts;
    const {
      state = "other",
      moreData = {},
      output = "one",
      host = "a",
      condition = '${var.host != ""}',
    } = parts;
    const token = TOKENS.maintainer;
    return {
      variable: { host: { default: host } },
      provider: {
        steward: [
          { base_url: address, token },
          { alias: "b", base_url: elsewhere(), token },
        ],
      },
      module: { web: { source: "./module", providers: { steward: inner } } },
      data: {
        terraform_remote_state: {
          now: { backend: "local", config: { path: `\${path.module}/${state}.tfstate` } },
          late: {
            backend: "local",
            config: { path: `\${path.module}/${state}.tfstate` },
            depends_on: ["terraform_data.job"],
          },
          ...moreData,
        },
      },
      resource: {
        steward_job_token_scope: { limit: scope(PROJECT, limit) },
        terraform_data: { job: { input: "${var.host}", provisioner: provisioners } },
      },
      output: { url: { value: output } },
      check: { host: { assert: { condition, error_message: "No host." } } },
      ...parts.more,
    };
  };

  /** Plans with Terraform, and keeps the plan as `plan.json`. */
  async function plan(parts: Partial<Parts> = {}): Promise<Record<string, unknown>> {
    workspace.write("main.tf.json", JSON.stringify(configuration(parts)));
    await workspace.succeed("get");
    await workspace.succeed("plan", "-out=planned");
    const { stdout } = await workspace.succeed("show", "-json", "planned");
    place.write("plan.json", stdout);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  const report = (...words: string[]) =>
    place.run(["report", "--plan-json", "plan.json", "--no-color", ...words]);
  const approve = () => report("--out-approval", "changes.json", "--report", "report.json");
  async function approvedDigest(): Promise<string> {
    const written = await approve();
    expect({ code: written.code, err: written.err }).toEqual({ code: 0, err: "" });
    return /[0-9a-f]{64}/.exec(written.out)![0];
  }
  const check = (digest: string) => report("--approved", "changes.json", "--digest", digest);
  const comment = async () => {
    const shown = await place.run([
      "ci",
      "comment",
      "report.json",
      "--approval",
      "changes.json",
      "--dry-run",
    ]);
    expect({ code: shown.code, err: shown.err }).toEqual({ code: 0, err: "" });
    return shown.out.split("<details>")[0]!;
  };

  test("if a Terraform plan differs from the approval, report --approved lists each different part in the error", async () => {
    await plan();
    const digest = await approvedDigest();
    const shown = await comment();
    for (const text of [
      `on \`${place.service.url}\``,
      "**🔓 Runs programs**",
      '- 🔓 `provisioner 1 (local-exec) of terraform_data.job`: `{"command":"date"}`',
      `- \`address of provider steward\`: \`${place.service.url}\``,
      `- \`address of provider steward.b\`: \`${elsewhere()}\``,
      '- `output url`: `{"after":"one"',
      "`values of data.terraform_remote_state.now`",
      "`change of data.terraform_remote_state.late`",
      "`variable host`",
      "`module.web`",
      "`check check.host`",
    ])
      expect(shown).toContain(text);
    expect(shown).not.toContain(TOKENS.maintainer);
    await plan();
    expect(await check(digest)).toMatchObject({ code: 0 });

    await plan({
      address: elsewhere(),
      provisioners: [localExec("curl evil"), localExec("id")],
      state: "evil",
      moreData: { more: { backend: "local", config: { path: "evil.tfstate" } } },
      output: "two",
      host: "b",
      condition: '${var.host != "x"}',
      more: { locals: { unused: 1 } },
    });
    const other = await check(digest);
    expect(other.code).toBe(1);
    for (const text of [
      `steward_job_token_scope.limit, service: approved "${place.service.url}", planned "${elsewhere()}"`,
      "address of provider steward: differs from the approval",
      "provider steward: differs from the approval",
      "provisioner 1 (local-exec) of terraform_data.job: differs from the approval",
      "provisioner 2 (local-exec) of terraform_data.job: is in the plan, but not approved",
      "values of data.terraform_remote_state.now: differs from the approval",
      "change of data.terraform_remote_state.late: differs from the approval",
      "declaration of data.terraform_remote_state.more: is in the plan, but not approved",
      "output url: differs from the approval",
      "variable host: differs from the approval",
    ])
      expect(other.err).toContain(text);
  });

  test("report --approved refuses a Terraform plan if an object's provider configuration now points to another service", async () => {
    await plan();
    const digest = await approvedDigest();
    await plan({ limit: { provider: "steward.b" }, inner: "steward.b" });
    const other = await check(digest);
    expect(other.code).toBe(1);
    for (const address of ["steward_job_token_scope.limit", "module.web.steward_job_token_scope.inner"])
      expect(other.err).toContain(`${address}, service: approved "${place.service.url}"`);
  });

  test("report --approved refuses a Terraform plan if the variable for the service's address has a new value", async () => {
    const variables = (address: string) => ({ host: { default: "a" }, address: { default: address } });
    await plan({ address: "${var.address}", more: { variable: variables(place.service.url) } });
    const digest = await approvedDigest();
    expect(await comment()).toContain(
      `\`address of provider steward\`: \`${place.service.url} (var.address)\``,
    );
    await plan({ address: "${var.address}", more: { variable: variables(elsewhere()) } });
    const other = await check(digest);
    expect(other.code).toBe(1);
    expect(other.err).toContain(
      `steward_job_token_scope.limit, service: approved "${place.service.url} (var.address)", planned "${elsewhere()} (var.address)"`,
    );
  });

  test("report --out-approval refuses a Terraform plan that contains an expression instead of a value", async () => {
    const known = await plan();
    place.write("plan.json", { ...known, news: 1 });
    expect(await approve()).toMatchObject({
      code: 1,
      err: expect.stringContaining("news: this release does not know"),
    });
    workspace.delete("main.tf.json");
    const inHcl = async (address: string, command: string) => {
      workspace.write(
        "main.tf",
        `variable "address" { default = "${place.service.url}" }
         provider "steward" {
           base_url = ${address}
           token    = "${TOKENS.maintainer}"
         }
         resource "terraform_data" "job" {
           provisioner "local-exec" { command = ${command} }
         }`,
      );
      await workspace.succeed("plan", "-out=planned");
      const { stdout } = await workspace.succeed("show", "-json", "planned");
      place.write("plan.json", stdout);
      return (JSON.parse(stdout) as { configuration: object }).configuration;
    };
    const one = await inHcl("var.address", '"echo ${path.module}"');
    const refused = await approve();
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("provider steward: the plan does not contain the value of base_url.");
    expect(refused.err).toContain(
      "provisioner 1 (local-exec) of terraform_data.job: the plan does not contain the value of command.",
    );
    // Steward refuses the approval, because a configuration with other values would have the same plan.
    expect(await inHcl('"http://evil.${var.address}"', '"curl evil ${path.module}"')).toEqual(one);
  });

  test("after a partial apply, report --approved accepts a plan of the remaining changes", async () => {
    await plan();
    const digest = await approvedDigest();
    await workspace.run(["apply", "-auto-approve", "-target=steward_job_token_scope.limit"]);
    await plan();
    expect(await check(digest)).toMatchObject({ code: 0 });
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    await plan();
    const drifted = await check(digest);
    expect(drifted.code).toBe(1);
    expect(drifted.err).toContain("drift of steward_job_token_scope.limit: is in the plan, but not approved");
  });
});
