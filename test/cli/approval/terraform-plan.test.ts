import { TerraformPlan } from "../../../src/cli/approval/terraform-plan";
import { canonicalJson, partsOfPlan } from "../../../src/engine";
import { openPlace, type Place } from "../support/place";
import { LIMIT, limit, OWN, PLAN, SOURCE } from "./plan-of-every-kind";

type Path = readonly (string | number)[];
type Node = Record<string | number, unknown>;

/** Returns the paths of all values in a plan. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const below = entries.flatMap(([name, one]) => pathsOf(one, [...path, name]));
  return entries.length === 0 ? [path] : below;
}

const copy = (): Node => JSON.parse(JSON.stringify(PLAN)) as Node;
const at = (json: Node, path: Path): Node => path.reduce((node, step) => node[step] as Node, json);
const other = (value: unknown): unknown => {
  if (typeof value === "string") return `${value}-other`;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  return { other: true };
};

/** Returns a copy of the plan with a different value at a path. */
function planted(path: Path): Node {
  const json = copy();
  const parent = at(json, path.slice(0, -1));
  const last = path.at(-1)!;
  parent[last] = other(parent[last]);
  return json;
}

const planOf = (json: object) => new TerraformPlan(JSON.stringify(json), {});

/** Returns the parts of a plan by name, but without the slow hashes of an approval. */
function partsIn(json: object) {
  const { parts, refused } = partsOfPlan(json as never, OWN);
  return { refused, parts: new Map(parts.map(({ name, value }) => [name, canonicalJson(value as never)])) };
}
const approved = partsIn(copy()).parts;

/** Returns the refused parts, and the parts that differ from the approved plan. */
function foundIn(json: object): readonly string[] {
  const { parts, refused } = partsIn(json);
  const names = [...new Set([...parts.keys(), ...approved.keys()])];
  const isMissing = (name: string) => !parts.has(name) && !name.startsWith("check ");
  return [...refused, ...names.filter((name) => !isMissing(name) && parts.get(name) !== approved.get(name))];
}

/**
 * The values of a plan that may differ although all parts of the approval are equal. The timestamp differs in each plan.
 * The approval compares the attributes of changes separately. Fields of unchanged objects have no effect.
 */
const ELSEWHERE = [
  /^timestamp$/,
  /^(planned_values|prior_state\.values)\.root_module\.resources\.\d+\.(?!values|address)/,
  /^resource_changes\.1\.(mode|type|name|provider_name|change\.(after_unknown|before_sensitive|after_sensitive))$/,
  /^resource_changes\.0\.change\.after_unknown$/,
  // The object that the plan imports is not in the state yet, so its entry in the prior state may be missing.
  /^prior_state\.values\.root_module\.resources\.0\.address$/,
];

describe("an approval of Terraform's plan", () => {
  test("Steward accepts a plan that differs from the approved plan only in the timestamp", () => {
    expect(foundIn({ ...copy(), timestamp: "2027-01-01T00:00:00Z" })).toEqual([]);
  });

  const paths = pathsOf(copy());
  const isElsewhere = (path: Path) => ELSEWHERE.some((one) => one.test(path.join(".")));

  test.each(paths.filter((path) => !isElsewhere(path)).map((path) => [path.join("."), path] as const))(
    "Steward refuses a plan that differs from the approved plan in the value of %s",
    (_, path) => {
      expect(foundIn(planted(path))).not.toEqual([]);
    },
  );

  test("Steward refuses to approve a plan with a key that this release does not know", () => {
    const objects = new Set(
      paths.flatMap((path) => path.map((_, end) => JSON.stringify(path.slice(0, end)))),
    );
    const free =
      /"(values|variables|expressions|before|after|result|default|outputs|output_changes|config_values|module_calls|provider_config|action_invocations|actions|before_identity|after_identity|identity|attribute|constant_value|project|base_url|program|command|sensitive_values)"/;
    for (const text of objects) {
      const path = JSON.parse(text) as Path;
      const json = copy();
      const node = at(json, path);
      if (free.test(text) || Array.isArray(node)) continue;
      node["new_key"] = 1;
      expect({ path: text, refused: partsIn(json).refused.join() }).toEqual({
        path: text,
        refused: expect.stringContaining("new_key"),
      });
    }
  });

  test.each([
    ["deferred_changes", [{ reason: "provider_config_unknown", resource_change: limit }], LIMIT],
    [
      "deferred_action_invocations",
      [{ reason: "x", action_invocation: { address: "action.a.b" } }],
      "action.a.b",
    ],
  ])(
    "Steward refuses a plan with %s, and names the address of each deferred change or action",
    (name, value, address) => {
      expect(foundIn({ ...copy(), [name]: value }).join()).toContain(address);
    },
  );

  test.each([
    [
      "a new provisioner",
      (json: Node) =>
        (
          at(json, ["configuration", "root_module", "resources", 0, "provisioners"]) as unknown as object[]
        ).push({ type: "remote-exec" }),
      "provisioner 2 (remote-exec) of",
    ],
    [
      "a new provider",
      (json: Node) =>
        Object.assign(at(json, ["configuration", "provider_config"]), {
          evil: { name: "evil", full_name: "x/y/evil" },
        }),
      "provider evil",
    ],
    [
      "a new action",
      (json: Node) => (json["action_invocations"] as object[]).push({ address: "action.shell_run.b" }),
      "action action.shell_run.b",
    ],
    [
      "a new output",
      (json: Node) =>
        Object.assign(json["output_changes"] as object, {
          more: { actions: ["create"], before: null, after: 1 },
        }),
      "output more",
    ],
    [
      "a data source of another provider",
      (json: Node) =>
        (at(json, ["configuration", "root_module", "resources"]) as unknown as object[]).push({
          address: "data.http.a",
          mode: "data",
          type: "http",
          name: "a",
          provider_config_key: "http",
        }),
      "declaration of data.http.a",
    ],
  ] as const)(
    "if the approval does not contain %s, Steward refuses the plan and names this part",
    (_, plant, name) => {
      const json = copy();
      plant(json);
      expect(foundIn(json).join("\n")).toContain(name);
    },
  );

  test("if a provider has no base_url, the approval takes the service's address from STEWARD_BASE_URL or CI_API_V4_URL", () => {
    const change = { provider: SOURCE, address: LIMIT } as never;
    const gone = { provider: SOURCE, address: "steward_job_token_scope.gone" } as never;
    const serviceIn = (json: object, one = change, env: object = { STEWARD_BASE_URL: "https://env" }) =>
      new TerraformPlan(JSON.stringify(json), env as never).place.serviceOf(one);
    expect(serviceIn(copy())).toBe("https://git.example.com");
    const alias = copy();
    at(alias, ["configuration", "root_module", "resources", 0])["provider_config_key"] = "steward.b";
    expect(serviceIn(alias)).toBe("https://b.example");
    // No resource block declares the object, and the configuration has two service addresses.
    expect(serviceIn(alias, gone)).toContain("the plan does not show the address");
    delete at(alias, ["configuration", "provider_config"])["steward"];
    expect(serviceIn(alias, gone)).toBe("https://b.example");
    const none = copy();
    delete at(none, ["configuration", "provider_config", "steward"])["expressions"];
    expect(serviceIn(none)).toBe("https://env");
    expect(serviceIn(none, change, { CI_API_V4_URL: "https://ci/api/v4" })).toBe("https://ci/api/v4");
    at(none, ["configuration", "provider_config", "steward"])["expressions"] = {
      base_url: { constant_value: null },
    };
    expect(serviceIn(none)).toBe("https://env");
  });

  // If the text of the expression or the value of the local changed, the plan would be the same.
  test.each<[string, object]>([
    ["an expression in HCL", { references: ["var.token"] }],
    ["a function of constants in HCL", {}],
    ["a local", { constant_value: "${local.a}", references: ["local.a"] }],
    ["an output of a module", { constant_value: "${module.web.url}", references: ["module.web.url"] }],
  ])("Steward refuses to approve a plan if a service address or a program is %s", (_, expression) => {
    const json = copy();
    at(json, ["configuration", "provider_config", "steward.b", "expressions"])["base_url"] = expression;
    expect(foundIn(json).join("\n")).toContain(
      "provider steward.b: the plan does not contain the value of base_url.",
    );
    const other = copy();
    const [provisioner] = at(other, ["configuration", "root_module", "resources", 0])[
      "provisioners"
    ] as Node[];
    at(provisioner!, ["expressions"])["environment"] = expression;
    expect(foundIn(other).join("\n")).toContain(
      `provisioner 1 (local-exec) of ${LIMIT}: the plan does not contain the value of environment.`,
    );
  });

  test("if a JSON configuration takes a service address from a variable, the approval shows the address and the variable", () => {
    const json = copy();
    const address = { constant_value: "${var.token}", references: ["var.token"] };
    at(json, ["configuration", "provider_config", "steward", "expressions"])["base_url"] = address;
    const { parts, refused, place } = planOf(json);
    expect(refused).toEqual([]);
    expect(parts["address of provider steward"]).toBe("secret-of-a-variable (var.token)");
    expect(place.serviceOf({ provider: SOURCE, address: LIMIT } as never)).toBe(
      "secret-of-a-variable (var.token)",
    );
  });

  test("Steward refuses a plan if a deferred read runs another program than in the approved plan", () => {
    const reading = (program: string) => ({
      ...copy(),
      resource_changes: [
        ...(copy()["resource_changes"] as object[]),
        {
          address: "data.external.late",
          mode: "data",
          type: "external",
          name: "late",
          provider_name: "registry.terraform.io/hashicorp/external",
          change: {
            actions: ["read"],
            before: null,
            after: { program: [program] },
            after_unknown: { result: true },
          },
        },
      ],
    });
    const [one, other] = ["date", "curl"].map((program) => partsIn(reading(program)).parts);
    const differing = [...one!.keys()].filter((name) => one!.get(name) !== other!.get(name));
    expect(differing).toEqual(["change of data.external.late"]);
  });

  test("an approval file contains variables and sensitive values only as hashes", () => {
    const { parts } = planOf(copy());
    expect(parts[`provisioner 1 (local-exec) of ${LIMIT}`]).toBe('{"command":"date"}');
    expect(parts["address of provider steward.b"]).toBe("https://b.example");
    expect(parts["action action.shell_run.a"]).toContain('"command":"date"');
    expect(JSON.stringify(parts)).not.toContain("secret-of-a-variable");
    expect(parts["output url"]).toContain("https://new");
    expect(parts["variable token"]).toMatch(/^hash:/);
    const secret = copy();
    at(secret, ["output_changes", "url"])["after_sensitive"] = true;
    expect(planOf(secret).parts["output url"]).toMatch(/^hash:/);
    at(secret, ["action_invocations", 0])["config_sensitive"] = { command: true };
    expect(planOf(secret).parts["action action.shell_run.a"]).toMatch(/^hash:/);
  });
});

describe("report --plan-json with --out-approval and --approved", () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place.close());

  test("report --approved refuses a Terraform plan if a provisioner's command differs from the command in the approved plan", async () => {
    const json = copy();
    place.write("plan.json", json);
    const written = await place.run([
      "report",
      "--plan-json",
      "plan.json",
      "--out-approval",
      "changes.json",
      "--no-color",
    ]);
    expect({ code: written.code, err: written.err }).toEqual({ code: 0, err: "" });
    const digest = /[0-9a-f]{64}/.exec(written.out)![0];
    const check = ["report", "--plan-json", "plan.json", "--approved", "changes.json", "--digest", digest];
    expect(await place.run(check)).toMatchObject({ code: 0 });
    const provisioners = at(json, ["configuration", "root_module", "resources", 0, "provisioners", 0]);
    provisioners["expressions"] = { command: { constant_value: "curl evil" } };
    place.write("plan.json", json);
    expect(await place.run(check)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`provisioner 1 (local-exec) of ${LIMIT}: differs from the approval`),
    });
    place.write("plan.json", { ...copy(), news: 1 });
    expect(await place.run(check)).toMatchObject({
      code: 1,
      err: expect.stringContaining("news: this release does not know this part of the format"),
    });
  });
});
