import { TerraformStack, Testing } from "cdktf";
import { JobTokenAllowlist, JobTokenAllowlistProject } from "cdktf-provider-steward";
import { describeWith } from "../../support/capabilities";
import { useCompany } from "../support/company";
import { companyOfSamples, sampleHcl, TYPES } from "../support/declarations";
import type { Workspace } from "../support/workspace";

jest.setTimeout(180_000);

const ENTRY = "steward_job_token_allowlist_project";
const WHOLE = "steward_job_token_allowlist";
const REFUSED = "Destroyed and declared in one plan";

const block = (type: string, name: string, hcl: string) => `resource "${type}" "${name}" {\n  ${hcl}\n}\n`;
const entry = (name: string, target: string, more = "") =>
  block(ENTRY, name, `project        = "acme/web-shop"\n  target_project = "${target}"\n  ${more}`);
const whole = (...targets: readonly string[]) =>
  block(WHOLE, "all", `project         = "acme/web-shop"\n  target_projects = ${JSON.stringify(targets)}`);
const moved = (from: string, to: string) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
const removed = (from: string) => `removed {\n  from = ${from}\n  lifecycle {\n    destroy = false\n  }\n}\n`;

describeWith("engine", "a plan that destroys and declares one object", (engine) => {
  const company = useCompany(engine, companyOfSamples());
  let workspace: Workspace;
  beforeAll(async () => {
    // The fixture has an allowlist entry that no test declares. The entry is deleted, so that all entries come from the
    // tests.
    const [legacy] = await listed("acme/legacy-import");
    await company().http("DELETE", `${ALLOWLIST}/${legacy!.id}`);
  });
  beforeEach(async () => {
    workspace = await company().reattached();
  });
  afterEach(async () => {
    await workspace.succeed("destroy", "-auto-approve", "-refresh=false");
    company().service.faults.clear();
  });

  const apply = async (configuration: string, ...words: readonly string[]) => {
    workspace.write("main.tf", configuration);
    company().service.requests.reset();
    return workspace.apply(...words);
  };
  const expectRefused = async (configuration: string, ...words: readonly string[]) => {
    workspace.write("main.tf", configuration);
    company().service.requests.reset();
    const { code, output } = await workspace.run(["apply", "-auto-approve", ...words]);
    expect(output).toContain(REFUSED);
    expect(code).toBe(1);
    expect(writes()).toEqual([]);
    return output;
  };
  const minorVersion = async () => {
    const { stdout } = await workspace.succeed("version", "-json");
    return Number(/"terraform_version": "1\.(\d+)/.exec(stdout)![1]);
  };
  const expectNoChanges = async () => expect((await workspace.plan()).stdout).toContain("No changes");
  const writes = () =>
    company()
      .service.requests.all.filter(({ method }) => method !== "GET")
      .map(({ method, url }) => `${method} ${url.split("/").at(-1)}`);
  const ALLOWLIST = "/projects/acme%2Fweb-shop/job_token_scope/allowlist";
  const listed = async (path?: string) => {
    const all = (await company().http("GET", ALLOWLIST)) as { id: number; path_with_namespace: string }[];
    return path === undefined ? all : all.filter((one) => one.path_with_namespace === path);
  };
  const allowed = async () =>
    (await listed())
      .map((one) => one.path_with_namespace)
      // The allowlist always contains the project itself.
      .filter((path) => path !== "acme/web-shop")
      .sort();

  test("if resources are renamed without moved blocks, `terraform apply` fails and suggests moved blocks", async () => {
    const all = (name: string) => TYPES.map((type) => block(type, name, sampleHcl(type))).join("");
    await apply(all("this"));
    const output = await expectRefused(all("other"));
    for (const type of TYPES) expect(output).toContain(`from = ${type}.OLD`);
    expect(output.split(REFUSED).length - 1).toBe(TYPES.length);
    await apply(all("other") + TYPES.map((type) => moved(`${type}.this`, `${type}.other`)).join(""));
    expect(writes()).toEqual([]);
    await expectNoChanges();
  });

  const imported = (name: string, id: string) => `import {\n  to = ${ENTRY}.${name}\n  id = "${id}"\n}\n`;

  test("if removed blocks are present, Terraform changes an allowlist from single entries to a whole list and back", async () => {
    const entries = entry("a", "acme/docs") + entry("b", "acme/deploy-tools");
    await apply(entries);
    expect(await expectRefused(whole("acme/docs", "acme/deploy-tools"))).toContain(`from = ${ENTRY}.OLD`);
    await apply(whole("acme/docs", "acme/deploy-tools") + removed(`${ENTRY}.a`) + removed(`${ENTRY}.b`));
    expect(writes()).toEqual([]);
    await expectNoChanges();
    expect(await expectRefused(entries)).toContain(`from = ${WHOLE}.OLD`);
    // The entries exist on the service, so a plan would refuse to create them. The configuration imports the existing
    // entries.
    const imports = imported("a", "1:4") + imported("b", "1:2");
    await apply(entries + removed(`${WHOLE}.all`) + imports);
    expect(writes().filter((write) => write.startsWith("DELETE"))).toEqual([]);
    expect(await allowed()).toEqual(["acme/deploy-tools", "acme/docs"]);
    await expectNoChanges();
  });

  test("if a resource was renamed without an apply, `terraform destroy` fails, except with -refresh=false", async () => {
    await apply(entry("a", "acme/docs"));
    workspace.write("main.tf", entry("b", "acme/docs"));
    const { code, output } = await workspace.run(["destroy", "-auto-approve"]);
    expect(code).toBe(1);
    expect(output.replace(/\s+/g, " ")).toContain("terraform destroy -refresh=false");
    expect(await allowed()).toEqual(["acme/docs"]);
    await workspace.succeed("destroy", "-auto-approve", "-refresh=false");
    expect(await allowed()).toEqual([]);
  });

  test("`terraform apply -replace` deletes an object and creates it again at the same address", async () => {
    await apply(entry("a", "acme/docs"));
    await apply(entry("a", "acme/docs"), `-replace=${ENTRY}.a`);
    expect(writes()).toEqual([expect.stringMatching("DELETE"), expect.stringMatching("POST")]);
    const first = entry("a", "acme/docs", "lifecycle {\n    create_before_destroy = true\n  }");
    await apply(first);
    const { code, output } = await workspace.run(["apply", "-auto-approve", `-replace=${ENTRY}.a`]);
    // The replacement creates the new object while the old object still exists. Only from Terraform 1.16 on, the provider
    // learns during apply that this create belongs to a replacement.
    const isTold = (await minorVersion()) >= 16;
    expect([code, output.includes("Already exists")]).toEqual(isTold ? [0, false] : [1, true]);
    if (!isTold) {
      expect(output.replace(/\s+/g, " ")).toContain(
        "If this apply replaces it, first remove its address from the state.",
      );
      await workspace.succeed("state", "rm", `${ENTRY}.a`);
      await workspace.succeed("import", `${ENTRY}.a`, "1:4");
    }
    expect(await allowed()).toEqual(["acme/docs"]);
    await expectNoChanges();
  });

  test("an app can declare moves by moveFromId and by an override of its stack", async () => {
    const app = (declare: (stack: TerraformStack) => void) => {
      const stack = new TerraformStack(Testing.app(), "stack");
      declare(stack);
      workspace.write("cdk.tf.json", Testing.synth(stack));
      workspace.write("main.tf", "");
    };
    const config = { project: "acme/web-shop", targetProject: "acme/docs" };
    await apply(entry("a", "acme/docs"));
    app((stack) => new JobTokenAllowlistProject(stack, "b", config).moveFromId(`${ENTRY}.a`));
    company().service.requests.reset();
    await workspace.apply();
    app((stack) => {
      new JobTokenAllowlist(stack, "all", { project: "acme/web-shop", targetProjects: ["acme/docs"] });
      stack.addOverride("removed", [{ from: `${ENTRY}.b`, lifecycle: { destroy: false } }]);
    });
    await workspace.apply();
    expect(writes()).toEqual([]);
    expect(Object.keys(await workspace.state())).toEqual([`${WHOLE}.all`]);
    await expectNoChanges();
    workspace.delete("cdk.tf.json");
  });
});
