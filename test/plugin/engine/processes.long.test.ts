import { once } from "node:events";
import { describeWith, runs } from "../../support/capabilities";
import { Company, TOKEN, useCompany } from "../support/company";
import { allDataSources, allResources, companyOfSamples } from "../support/declarations";
import { processesOf, socketsIn } from "../support/processes";
import { until } from "../support/until";
import type { Running, Workspace } from "../support/workspace";

jest.setTimeout(1_800_000);

const SCOPE =
  'resource "steward_job_token_scope" "this" {\n  project = "acme/web-shop"\n  inbound_enabled = true\n}\n';
const TRACE = { TF_LOG: "trace" };
/**
 * The delays of the service in milliseconds, during which a test interrupts the run. The delay of a change is short,
 * because Terraform waits for the change. Terraform does not wait for a read.
 */
const DELAY = { ofChange: 3_000, ofLook: 60_000 };

describeWith("engine", "the provider's processes and sockets", (engine) => {
  const company = useCompany(engine, companyOfSamples(), Company.installing);

  const plugins = () => processesOf(company().mirror.processName);
  async function prepared(hcl: string): Promise<Workspace> {
    const workspace = await company().initialized();
    workspace.write("main.tf", hcl);
    return workspace;
  }
  /** Waits until the provider has sent this request; its response is delayed. */
  const sent = (running: Running, request: string) =>
    until(`${request} was sent`, () => running.output().includes(`${request} sent`));
  async function expectNothingLeft({ folder }: Workspace): Promise<void> {
    await until("the plugin is gone", () => plugins().length === 0);
    expect(socketsIn(folder)).toEqual([]);
  }

  test(`${runs(2, 200)} consecutive plans leave no process and no socket`, async () => {
    const workspace = await prepared(allDataSources());
    for (let count = 0; count < runs(2, 200); count += 1) await workspace.plan();
    await expectNothingLeft(workspace);
  });

  test("the provider exits after Terraform was killed", async () => {
    const workspace = await prepared('data "steward_current_user" "this" {}\n');
    company().service.faults.add({ route: "/user", delay: DELAY.ofLook });
    const running = workspace.start(["plan"], TRACE);
    await sent(running, "GET /user");
    expect(plugins()).not.toEqual([]);
    running.child.kill("SIGKILL");
    await expectNothingLeft(workspace);
  });

  test("if Terraform was killed, the provider completes the write in progress", async () => {
    await company().http("PATCH", "/projects/1/job_token_scope", { enabled: false });
    const workspace = await prepared(SCOPE);
    company().service.faults.add({ method: "PATCH", delay: DELAY.ofChange });
    const running = workspace.start(["apply", "-auto-approve"], TRACE);
    await sent(running, "PATCH /projects/1/job_token_scope");
    running.child.kill("SIGKILL");
    await expectNothingLeft(workspace);
    expect(await company().http("GET", "/projects/1/job_token_scope")).toMatchObject({
      inbound_enabled: true,
    });
  });

  test('if Terraform and the provider are interrupted, the plan ends without the error "Plugin did not respond"', async () => {
    const workspace = await prepared('data "steward_current_user" "this" {}\n');
    company().service.faults.add({ route: "/user", delay: DELAY.ofLook, always: true });
    const running = workspace.start(["plan"], TRACE);
    await sent(running, "GET /user");
    process.kill(-running.child.pid!, "SIGINT");
    const { code, output } = await running.ended;
    expect(code).toBe(1);
    expect(output).not.toContain("Plugin did not respond");
    await expectNothingLeft(workspace);
  });

  test(
    "if an apply is interrupted, Terraform stores the object in progress in the state " +
      "and creates no other object",
    async () => {
      const environment = (name: string, after = "") =>
        `resource "steward_protected_environment" "${name}" {\n  project = "acme/web-shop"\n  name = "${name}"\n` +
        `  deploy_access_levels = [{ access_level = 40 }]\n  ${after}\n}\n`;
      const later = environment("staging", "depends_on = [steward_protected_environment.production]");
      const workspace = await prepared(environment("production") + later);
      company().service.faults.add({ method: "POST", delay: DELAY.ofChange });
      const running = workspace.start(["apply", "-auto-approve"], TRACE);
      await sent(running, "POST /projects/1/protected_environments");
      process.kill(-running.child.pid!, "SIGINT");
      const { code, output } = await running.ended;
      expect(code).toBe(1);
      expect(output).not.toContain("Plugin did not respond");
      await expectNothingLeft(workspace);
      expect(Object.keys(await workspace.state())).toEqual(["steward_protected_environment.production"]);
      expect(await company().http("GET", "/projects/1/protected_environments")).toMatchObject([
        { name: "production" },
      ]);
      // The created object is not tainted, so the next run creates only the missing object.
      expect(await workspace.actions()).toEqual({ "steward_protected_environment.staging": ["create"] });
      await workspace.succeed("destroy", "-auto-approve");
    },
  );

  test("a killed provider leaves no socket", async () => {
    const workspace = await prepared('data "steward_current_user" "this" {}\n');
    company().service.faults.add({ route: "/user", delay: DELAY.ofLook });
    const running = workspace.start(["plan"], TRACE);
    await sent(running, "GET /user");
    const pid = Number(plugins()[0]!.trim().split(" ")[0]);
    process.kill(pid, "SIGKILL");
    expect((await running.ended).code).toBe(1);
    await expectNothingLeft(workspace);
  });

  test("the trace logs of init, apply and destroy contain no token", async () => {
    const variable = 'variable "token" {\n  type = string\n  sensitive = true\n}\n';
    const provider = 'provider "steward" {\n  token = var.token\n}\n';
    for (const [hcl, env] of [
      [allResources() + allDataSources(), {}],
      // In the second case, the token comes from a variable. One resource is enough, because the provider then uses the token
      // in the same way.
      [variable + provider + SCOPE, { TF_VAR_token: TOKEN, STEWARD_TOKEN: "" }],
    ] as const) {
      const workspace = company().workspace(env);
      workspace.write("main.tf", hcl);
      // No command `plan` is needed, because an apply also validates and plans.
      const commands = [["init"], ["apply", "-auto-approve"], ["destroy", "-auto-approve"]];
      const outputs = new Map<string, string>();
      for (const words of commands) {
        const { code, output } = await workspace.run(words, TRACE);
        expect(code).toBe(0);
        expect(output).not.toContain(TOKEN);
        outputs.set(words[0]!, output);
      }
      expect(outputs.get("apply")).toMatch(/answered 20\d/);
    }
  });

  test("if a person starts the provider's executable, it explains that it is a plugin", async () => {
    const running = company().workspace().startProgram(company().mirror.program);
    const [code] = (await once(running.child, "close")) as [number];
    expect(code).toBe(1);
    expect(running.output()).toContain("This program is a plugin");
  });
});
