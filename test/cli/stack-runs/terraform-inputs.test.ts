import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { StateServer } from "../../state/state-server";
import { beginInProcess, runInProcess } from "../support/in-process";
import { usePlace } from "../support/place";

const PAGE = path.join(__dirname, "..", "..", "..", "docs", "terraform-inputs.md");

/** The rows of the page. Each row is an input with its support status and its effect. */
const ROWS = readFileSync(PAGE, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| input"))
  .flatMap((line) => {
    const [, inputs = "", status = "", effect = ""] = line.split("|").map((cell) => cell.trim());
    return [...inputs.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name: name!, status, effect }));
  });
const rowsOf = (status: string) =>
  ROWS.filter((row) => row.status === status).map((row) => [row.name, row.effect] as const);

type Env = Readonly<Record<string, string>>;

/**
 * A configuration that needs no service. The outputs of this configuration are a variable and the name of the workspace.
 */
const CONFIGURATION = {
  variable: { name: { default: "default" } },
  resource: { terraform_data: { one: { input: "${var.name}" } } },
  output: { name: { value: "${var.name}" }, workspace: { value: "${terraform.workspace}" } },
};

/** A folder with the configuration. Several runs use this folder, one after the other. */
class Folder {
  readonly path = mkdtempSync(path.join(tmpdir(), "steward-inputs-"));

  constructor() {
    this.write("main.tf.json", CONFIGURATION);
  }

  write(name: string, content: unknown): void {
    const file = path.join(this.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  read = (name: string): string => readFileSync(path.join(this.path, name), "utf8");
  has = (name: string): boolean => existsSync(path.join(this.path, name));
  files = (): string[] => readdirSync(this.path, { recursive: true }).map(String).sort();

  run = (command: string, env: Env = {}) =>
    runInProcess([...command.split(" "), "--config", "."], { folder: this.path, env });

  /** Applies, and returns the value of the output `name`. */
  async applied(env: Env = {}): Promise<string> {
    expect(await this.run("apply --auto-approve", env)).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("Warning"),
    });
    return (await this.run("output --raw name", env)).out;
  }
}

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => rmSync(folder.path, { recursive: true }));

const OF_PROD = "terraform.tfstate.d/prod/terraform.tfstate";

/** Returns a check that a file with variables sets a value. */
const givesValue = (file: string) => async () => {
  folder.write(file, file.endsWith(".json") ? { name: "given" } : 'name = "given"\n');
  expect(await folder.applied()).toBe("given");
};

/** Applies with the backend `http` and returns the requests. */
async function requestsToStorage(env: (server: StateServer) => Env) {
  const server = new StateServer();
  await server.start();
  try {
    folder.write("main.tf.json", { ...CONFIGURATION, terraform: { backend: { http: {} } } });
    const { code, err } = await folder.run("apply --auto-approve", env(server));
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(server.state).toContain('"version": 4');
    return server.requests;
  } finally {
    await server.stop();
  }
}

/** The observable effect of each supported input. */
const EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  async TF_VAR_name() {
    expect(await folder.applied({ TF_VAR_name: "given" })).toBe("given");
  },
  async TF_WORKSPACE() {
    await folder.applied({ TF_WORKSPACE: "prod" });
    expect([folder.has(OF_PROD), folder.has("terraform.tfstate")]).toEqual([true, false]);
  },
  async TF_DATA_DIR() {
    folder.write("data/environment", "prod");
    await folder.applied({ TF_DATA_DIR: "data" });
    expect([folder.has(OF_PROD), folder.has("terraform.tfstate")]).toEqual([true, false]);
  },
  async TF_HTTP_ADDRESS() {
    await requestsToStorage((server) => ({ TF_HTTP_ADDRESS: server.url("/state") }));
  },
  async TF_HTTP_USERNAME() {
    const requests = await requestsToStorage((server) => ({
      TF_HTTP_ADDRESS: server.url("/state"),
      TF_HTTP_USERNAME: "maya",
      TF_HTTP_PASSWORD: "p",
    }));
    const basic = `Basic ${Buffer.from("maya:p").toString("base64")}`;
    expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(new Set([basic]));
  },
  async TF_INPUT() {
    const ask = jest.fn(async () => "no");
    const started = (env: Env) =>
      beginInProcess(["apply", "--config", "."], { folder: folder.path, env, ask }).ended;
    await started({});
    expect(ask).toHaveBeenCalledTimes(1);
    const { code, err } = await started({ TF_INPUT: "false" });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("TF_INPUT forbids questions") });
    expect(ask).toHaveBeenCalledTimes(1);
  },
  "terraform.tfvars": givesValue("terraform.tfvars"),
  "terraform.tfvars.json": givesValue("terraform.tfvars.json"),
  "x.auto.tfvars": givesValue("x.auto.tfvars"),
  "x.auto.tfvars.json": givesValue("x.auto.tfvars.json"),
  async ".terraform/environment"() {
    folder.write(".terraform/environment", "prod");
    await folder.applied();
    expect([folder.has(OF_PROD), folder.has("terraform.tfstate")]).toEqual([true, false]);
  },
  async ".terraform/terraform.tfstate"() {
    folder.write("main.tf.json", { ...CONFIGURATION, terraform: { backend: { local: {} } } });
    folder.write(".terraform/terraform.tfstate", {
      ...{ version: 3, serial: 1, lineage: "x" },
      backend: { type: "local", config: { path: "other.tfstate" }, hash: 1 },
    });
    await folder.applied();
    expect([folder.has("other.tfstate"), folder.has("terraform.tfstate")]).toEqual([true, false]);
  },
  async "terraform.tfstate.d"() {
    await folder.applied({ TF_VAR_name: "given" });
    folder.write(OF_PROD, folder.read("terraform.tfstate"));
    rmSync(path.join(folder.path, "terraform.tfstate"));
    const env = { TF_WORKSPACE: "prod" };
    expect((await folder.run("output --raw name", env)).out).toBe("given");
  },
};

test("this file tests each input with the status `supported` in docs/terraform-inputs.md", () => {
  expect(rowsOf("supported").map(([name]) => name)).toEqual(Object.keys(EFFECTS));
});

test.each(Object.entries(EFFECTS))("Terraform's input %s takes effect in Steward", (_, shows) => shows());

test.each(rowsOf("warned about"))("plan warns that it ignores Terraform's input %s", async (name) => {
  const { code, err } = await folder.run("plan", { [name]: "x" });
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("[environment_without_effect]") });
  expect(err.replace(/\s+/g, " ")).toContain(`Steward ignores ${name}. `);
  expect((await folder.run("plan", { [name]: "" })).err).toBe("");
});

/** Inputs that are blocks of the configuration. */
const BLOCKS: Readonly<Record<string, object>> = {
  cloud: { cloud: { organization: "acme", workspaces: { name: "x" } } },
  backend: { backend: { s3: { bucket: "b" } } },
};

test.each(rowsOf("refused"))(
  "if Terraform's input %s is present, apply fails and writes no file",
  async (name, effect) => {
    const block = BLOCKS[name];
    if (block !== undefined) folder.write("main.tf.json", { ...CONFIGURATION, terraform: block });
    else folder.write(name, name.endsWith(".json") ? {} : "");
    const before = folder.files();
    const { code, err } = await folder.run("apply --auto-approve");
    const [, registered] = /: `(\w+)`$/.exec(effect)!;
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`[${registered}]`) });
    expect(folder.files()).toEqual(before);
  },
);

test.each(rowsOf("not needed"))(
  "if Terraform's input %s is present, plan prints the same output as without it",
  async (name) => {
    const HOME = path.join(folder.path, "home");
    const without = await folder.run("plan", { HOME });
    const env: Record<string, string> = { HOME };
    if (/^[A-Z]/.test(name)) env[name] = "x";
    else folder.write(name.replace("~", "home"), name.endsWith(".json") ? {} : "x");
    expect(await folder.run("plan", env)).toEqual(without);
    expect(without.code).toBe(0);
  },
);

const TERRAFORM = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };

describe("the backend that `terraform init` stored", () => {
  const place = usePlace("each");
  const initialized = (type: string, config: object | null) =>
    place.write(".terraform/terraform.tfstate", {
      version: 3,
      serial: 1,
      lineage: "x",
      backend: { type, config, hash: 1 },
    });
  const run = (command: string) => place.run([...command.split(" "), "--config", "."]);
  const declare = (terraform: object) =>
    place.write("main.tf.json", {
      ...JSON.parse(place.read("main.tf.json")),
      terraform: { ...TERRAFORM, ...terraform },
    });

  test("if the backend block has no path, apply uses the path that `terraform init` stored", async () => {
    declare({ backend: { local: {} } });
    initialized("local", { path: "other.tfstate", workspace_dir: null });
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(place.read("other.tfstate")).toContain('"version": 4');
  });

  test("if the backend block has a path, apply uses this path instead of the stored path", async () => {
    declare({ backend: { local: { path: "mine.tfstate" } } });
    initialized("local", { path: "other.tfstate" });
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(place.read("mine.tfstate")).toContain('"version": 4');
  });

  test.each([
    ["s3", {}, undefined],
    ["s3", { backend: { local: {} } }, undefined],
    ["http", { backend: { local: {} } }, undefined],
    ["remote", { backend: { http: { address: "https://states.example/x" } } }, undefined],
    ["local", {}, "other.tfstate"],
    ["local", { backend: { http: { address: "https://states.example/x" } } }, "other.tfstate"],
  ] as const)(
    "plan fails if the stored backend is %s and the configuration's terraform block has %j",
    async (type, terraform, state) => {
      declare(terraform);
      initialized(type, { path: state ?? null });
      if (state !== undefined) place.write(state, "{}");
      const { code, err } = await run("plan");
      const text = err.replace(/[\s│╷╵]+/g, " ");
      expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining(`"${type}"`) });
      expect(text).toContain("terraform init -migrate-state");
      expect(place.service.requests.all).toEqual([]);
    },
  );

  test("if the backend block has a new path and the state is at the stored path, plan fails", async () => {
    declare({ backend: { local: { path: "mine.tfstate" } } });
    initialized("local", { path: "other.tfstate" });
    place.write("other.tfstate", "{}");
    const { code, err } = await run("plan");
    expect(code).toBe(1);
    expect(err.replace(/[\s│╷╵]+/g, " ")).toContain(
      "mine.tfstate, which does not exist. Move the state there",
    );
    place.write("other.tfstate", "");
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
    place.write("other.tfstate", "{}");
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("if no state exists at the stored path, apply succeeds", async () => {
    initialized("local", { path: "missing.tfstate" });
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
    initialized("local", { path: "terraform.tfstate" });
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("if the stored http backend has another address, plan fails with an error that hides secrets in addresses", async () => {
    declare({ backend: { http: { address: "https://states.example/new?token=s3cret" } } });
    initialized("http", { address: "https://states.example/old?token=s3cret" });
    const { code, err } = await run("plan");
    const text = err.replace(/[\s│╷╵]+/g, " ");
    expect(code).toBe(1);
    expect(text).toContain("https://states.example/old instead of https://states.example/new");
    expect(text).toContain("terraform init -reconfigure");
    expect(text).not.toContain("s3cret");
    expect(place.service.requests.all).toEqual([]);
  });

  test("if the configuration has no backend block for the stored backend, plan fails", async () => {
    initialized("http", { address: "https://states.example/x" });
    expect((await run("plan")).err).toContain("Unknown backend");
    place.write(".terraform/terraform.tfstate", "{");
    expect(await run("plan")).toMatchObject({ code: 1 });
  });
});
