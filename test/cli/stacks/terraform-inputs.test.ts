import { readFileSync } from "node:fs";
import path from "node:path";
import { usePlace } from "../support/place";

const PAGE = path.join(__dirname, "..", "..", "..", "docs", "terraform-inputs.md");
const STATUSES = ["supported", "warned about", "refused"] as const;

/** The rows of the page: each input with its status. */
const ROWS = readFileSync(PAGE, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| input"))
  .flatMap((line) => {
    const [, inputs = "", status = ""] = line.split("|").map((cell) => cell.trim());
    const names = [...inputs.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    return names.map((name) => [name, status, inputs] as const);
  });

const place = usePlace("each");
const TERRAFORM = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };
const BACKENDS: Readonly<Record<string, object>> = {
  cloud: { cloud: { organization: "acme", workspaces: { name: "x" } } },
  backend: { backend: { s3: { bucket: "b" } } },
};
/** The content of the files that must hold something. */
const CONTENTS: Readonly<Record<string, string>> = {
  ".terraform/environment": "default",
  ".terraform/terraform.tfstate": '{"version": 3}',
};

test("the page has a row for each status, and no other", () => {
  expect(new Set(ROWS.map(([, status]) => status))).toEqual(new Set(STATUSES));
});

test.each(ROWS)("%s is %s", async (name, status) => {
  const env: Record<string, string> = {};
  if (name.startsWith("TF_")) env[name] = name === "TF_WORKSPACE" ? "default" : "x";
  else if (BACKENDS[name] !== undefined)
    place.write("main.tf.json", {
      ...JSON.parse(place.read("main.tf.json")),
      terraform: { ...TERRAFORM, ...BACKENDS[name] },
    });
  else if (name !== "terraform.tfstate.d")
    place.write(
      name === "main.tf" ? "other.tf" : name,
      CONTENTS[name] ?? (name.endsWith(".json") ? "{}" : ""),
    );
  const { code, err } = await place.run(["plan", "--config", "."], env);
  const found =
    code !== 0
      ? "refused"
      : err.includes("Environment variables without effect")
        ? "warned about"
        : "supported";
  expect({ name, found, err: found === status ? "" : err }).toEqual({ name, found: status, err: "" });
  if (status === "warned about") expect(err).toContain(name);
});

describe("a partial backend", () => {
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

  test("takes the settings of terraform init", async () => {
    declare({ backend: { local: {} } });
    initialized("local", { path: "other.tfstate", workspace_dir: null });
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(place.read("other.tfstate")).toContain('"version": 4');
  });

  test("keeps the settings that the block has", async () => {
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
    "a stored backend %s is refused while the configuration has %j, since it may hold the state",
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

  test("a stored local backend without a state, or with the state that is used, changes nothing", async () => {
    initialized("local", { path: "missing.tfstate" });
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
    initialized("local", { path: "terraform.tfstate" });
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("a stored backend that the configuration lacks, or that can't be read, is refused", async () => {
    initialized("http", { address: "https://states.example/x" });
    expect((await run("plan")).err).toContain("Unknown backend");
    place.write(".terraform/terraform.tfstate", "{");
    expect(await run("plan")).toMatchObject({ code: 1 });
  });
});
