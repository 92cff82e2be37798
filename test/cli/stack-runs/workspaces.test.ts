import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { TOKENS, usePlace } from "../support/place";

const place = usePlace("each");
const at = (...names: string[]) => path.join(place.folder, ...names);
const PROD = { TF_WORKSPACE: "prod" };
const RESOURCES = { steward_job_token_scope: { limit: { project: "acme/shop" } } };
const BASE = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
};

const declare = (more: object = {}) =>
  place.write("main.tf.json", {
    ...BASE,
    provider: { steward: [{}] },
    resource: RESOURCES,
    output: { workspace: { value: "${terraform.workspace}" } },
    ...more,
  });

const run = (command: string, env: Readonly<Record<string, string>> = {}) =>
  place.run([...command.split(" "), "--config", "."], env);

const OF_PROD = "terraform.tfstate.d/prod/terraform.tfstate";

beforeEach(() => void declare());

describe.each<[string, () => Readonly<Record<string, string>>]>([
  ["TF_WORKSPACE", () => PROD],
  [
    ".terraform/environment",
    () => {
      place.write(".terraform/environment", "prod");
      return {};
    },
  ],
  [
    "the file in TF_DATA_DIR",
    () => {
      place.write("data/environment", "prod\n");
      return { TF_DATA_DIR: "data" };
    },
  ],
])("a workspace that %s selects", (_, select) => {
  test("apply and output use the state of the selected workspace", async () => {
    const env = select();
    expect(await run("apply --auto-approve", env)).toMatchObject({ code: 0 });
    expect(existsSync(at("terraform.tfstate"))).toBe(false);
    expect(JSON.parse(place.read(OF_PROD)).outputs.workspace.value).toBe("prod");
    expect((await run("output --raw workspace", env)).out).toBe("prod");
    expect(await run("plan --detailed-exitcode", env)).toMatchObject({ code: 0 });
  });
});

test("if the selected workspace has no state, destroy does not change the default workspace's state", async () => {
  await run("apply --auto-approve");
  const before = place.read("terraform.tfstate");
  const { code, err } = await run("destroy --auto-approve", PROD);
  expect(code).toBe(1);
  expect(err).toContain("State is in another workspace");
  expect(place.read("terraform.tfstate")).toBe(before);
});

test("if only the default workspace has a state, plan fails and prints the command that moves the state", async () => {
  await run("apply --auto-approve");
  const { code, err } = await run("plan", PROD);
  expect(code).toBe(1);
  expect(err).toContain(at("terraform.tfstate"));
  expect(err).toContain(at(OF_PROD));
  const [, command] = /(mkdir -p \S+ && mv \S+ \S+)/.exec(err)!;
  const { execSync } = await import("node:child_process");
  execSync(command!, { cwd: place.folder });
  // Only the output with the workspace's name changes.
  const { out } = await run("plan", PROD);
  expect(out).toContain('"default" -> "prod"');
  expect(out).not.toContain("will be created");
});

test("if .terraform/environment selects a workspace without a state, each command fails and prints the path of this file", async () => {
  await run("apply --auto-approve");
  place.write(".terraform/environment", "prod");
  for (const command of ["plan", "apply --auto-approve", "destroy --auto-approve"]) {
    const { code, err } = await run(command);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`(remove ${at(".terraform/environment")})`),
    });
    expect(existsSync(at("terraform.tfstate.d"))).toBe(false);
  }
});

test("if the state file of the workspace is empty, plan succeeds", async () => {
  await run("apply --auto-approve");
  mkdirSync(at("terraform.tfstate.d", "dev"), { recursive: true });
  place.write("terraform.tfstate.d/dev/terraform.tfstate", "");
  expect(await run("plan", { TF_WORKSPACE: "dev" })).toMatchObject({ code: 0 });
});

test("apply saves the state of a workspace in the folder workspace_dir of the backend", async () => {
  declare({
    terraform: { ...BASE.terraform, backend: { local: { path: "x.tfstate", workspace_dir: "states" } } },
  });
  expect(await run("apply --auto-approve", PROD)).toMatchObject({ code: 0 });
  expect(existsSync(at("states/prod/terraform.tfstate"))).toBe(true);
});

test("with the http backend, plan refuses every workspace except default", async () => {
  const address = `${place.service.url}/api/v4/projects/1/terraform/state/x`;
  declare({ terraform: { ...BASE.terraform, backend: { http: { address } } } });
  const { code, err } = await run("plan", PROD);
  expect(code).toBe(1);
  expect(err).toContain("Workspaces not supported");
  expect(
    await run("plan", {
      TF_WORKSPACE: "default",
      TF_HTTP_USERNAME: "ci",
      TF_HTTP_PASSWORD: TOKENS.maintainer,
    }),
  ).toMatchObject({ code: 0 });
});

test.each(["../x", "a/b", "a b", ".."])("plan refuses %j as the name of a workspace", async (name) => {
  const { code, err } = await run("plan", { TF_WORKSPACE: name });
  expect(code).toBe(1);
  expect(err).toContain("Invalid workspace");
});

describe("an infinite number", () => {
  test.each([
    "1/0",
    "-1/0",
    "log(0, 10)",
    'yamldecode(".inf")',
    "[1, [1/0]]",
    "{a = pow(10, 400) * 1e400000}",
  ])("apply refuses an infinite number in an output, and writes no state (%s)", async (expression) => {
    place.write("main.tf.json", { output: { o: { value: `\${${expression}}` } } });
    const { code, err } = await run("apply --auto-approve");
    expect(code).toBe(1);
    expect(err).not.toContain("Internal error");
    expect(existsSync(at("terraform.tfstate"))).toBe(false);
  });

  test("apply refuses an infinite number as the value of an attribute", async () => {
    place.write("main.tf.json", { resource: { terraform_data: { a: { input: { k: "${1/0}" } } } } });
    const { code, err } = await run("apply --auto-approve");
    expect(code).toBe(1);
    expect(err).toContain("Infinite number");
    expect(err).toContain("input");
    place.write("main.tf.json", { output: { o: { value: '${1/0 > 1 ? "y" : "n"}' } } });
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
  });

  test("if an output becomes infinite during apply, Steward can still read the state file", async () => {
    place.write("main.tf.json", {
      resource: { terraform_data: { a: { input: 0 } } },
      output: { o: { value: "${1/terraform_data.a.output}" } },
    });
    await run("apply --auto-approve");
    expect(await run("state list")).toMatchObject({ code: 0 });
  });
});
