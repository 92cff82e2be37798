import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { decodeStateText } from "../../src/state/format/fields";
import { parseState } from "../../src/state/format/file-format";
import { formatState, formatStateInParts } from "../../src/state/format/format-state";
import { emptyState, type State } from "../../src/state/model/model";
import { describeWith, runs, seed } from "../support/capabilities";
import { anyState } from "./arbitrary-state";
import { diagnosticOf, useScratchFolder } from "./scratch";

const scratch = useScratchFolder();

const sample = (): State => ({
  ...emptyState(),
  outputs: { url: { value: "https://x.example/?a=1&b=<2>", type: "string", sensitive: true } },
  resources: [
    {
      mode: "managed",
      type: "acme_thing",
      name: "one",
      provider: 'provider["registry.example/acme/acme"]',
      instances: [
        {
          schemaVersion: 1,
          attributes: { id: "42:production", token: "abc" },
          sensitivePaths: [[{ attribute: "token" }]],
          private: "AAEC/w==",
          dependencies: ["acme_other.two"],
        },
      ],
    },
  ],
});

test("reading a written state returns the same state", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const text = formatState(state);
      expect(parseState(text, "x")).toEqual(state);
      expect(formatState(parseState(text, "x"))).toBe(text);
    }),
    { seed, numRuns: runs(80, 5000) },
  );
});

describe("the identity of an object, which Terraform stores since 1.12", () => {
  const IDENTITY = { project: "42", name: "production" };
  const stored = (fields: object): string => {
    const state = JSON.parse(formatState(sample())) as { resources: [{ instances: [object] }] };
    Object.assign(state.resources[0].instances[0], fields);
    return JSON.stringify(state);
  };
  const read = (fields: object) => parseState(stored(fields), "x").resources[0]!.instances[0]!;
  const written = (fields: object) =>
    (JSON.parse(formatState(parseState(stored(fields), "x"))) as ReturnType<typeof JSON.parse>).resources[0]
      .instances[0];

  test("Steward reads and writes an object's identity with the version of the identity schema", () => {
    const fields = { identity_schema_version: 3, identity: IDENTITY };
    expect(read(fields).identity).toEqual({ version: 3, values: IDENTITY });
    expect(written(fields)).toMatchObject(fields);
    expect(read({ identity: IDENTITY }).identity).toEqual({ version: 0, values: IDENTITY });
  });

  test("if an object has an identity_schema_version but no identity, a write keeps this version", () => {
    expect(read({ identity_schema_version: 0 })).not.toHaveProperty("identity");
    expect(written({ identity_schema_version: 0 })).toHaveProperty("identity_schema_version", 0);
    expect(written({})).not.toHaveProperty("identity_schema_version");
  });

  test.each([{ identity: "42" }, { identity: IDENTITY, identity_schema_version: "one" }])(
    "the reader refuses the damaged identity %j",
    async (fields) => {
      expect(await diagnosticOf(() => read(fields))).toMatchObject({ code: "state_damaged" });
    },
  );
});

test("the order of resources and instances in memory does not change the written state", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const turned: State = {
        ...state,
        resources: state.resources
          .map((resource) => ({ ...resource, instances: [...resource.instances].reverse() }))
          .reverse(),
      };
      expect(formatState(turned)).toBe(formatState(state));
    }),
    { seed, numRuns: runs(50, 2000) },
  );
});

describe("the error for a damaged state", () => {
  type Raw = Record<string, unknown>;
  const resource = (state: Raw): Raw => (state["resources"] as Raw[])[0]!;
  const instance = (state: Raw): Raw => (resource(state)["instances"] as Raw[])[0]!;
  const cases: [place: string, holder: (state: Raw) => unknown, key: string, value: unknown][] = [
    ["serial", (state) => state, "serial", -1],
    ["serial", (state) => state, "serial", "s3cret"],
    ["lineage", (state) => state, "lineage", undefined],
    ["resources", (state) => state, "resources", null],
    ["outputs.url.type", (state) => (state["outputs"] as Raw)["url"], "type", 7],
    ["resources[0].mode", resource, "mode", "s3cret"],
    ["resources[0].module", resource, "module", 'module["s3cret'],
    ["resources[0].instances", resource, "instances", {}],
    ["resources[0].instances[0].index_key", instance, "index_key", 1.5],
    ["resources[0].instances[0].status", instance, "status", "s3cret"],
    ["resources[0].instances[0].private", instance, "private", "s3cret"],
    ["resources[0].instances[0].attributes", instance, "attributes", ["s3cret"]],
    [
      "resources[0].instances[0].sensitive_attributes[0][0]",
      instance,
      "sensitive_attributes",
      [[{ type: "s3cret" }]],
    ],
    ["resources[0].instances[0].dependencies[0]", instance, "dependencies", [{}]],
  ];

  test.each(cases)(
    "if the field %s has a wrong type, the error contains the field's path and not its value",
    async (place, holder, key, value) => {
      const state = JSON.parse(formatState(sample())) as Raw;
      Object.assign(holder(state) as Raw, { [key]: value });
      const { code, detail } = await diagnosticOf(() => parseState(JSON.stringify(state), "site.tfstate"));
      expect(code).toBe("state_damaged");
      expect(detail).toContain(`In site.tfstate, \`${place}\` must be`);
      expect(detail).not.toContain("s3cret");
    },
  );

  test.each([
    ["resources[1]", (state: Raw) => (state["resources"] as Raw[]).push(resource(state))],
    [
      "resources[2]",
      (state: Raw) =>
        (state["resources"] as Raw[]).push({ ...resource(state), name: "another" }, resource(state)),
    ],
    [
      "resources[0].instances[1]",
      (state: Raw) => (resource(state)["instances"] as Raw[]).push(instance(state)),
    ],
  ])("the error for a repeated object names its position: %s", async (place, repeat) => {
    const state = JSON.parse(formatState(sample())) as Raw;
    repeat(state);
    const { detail } = await diagnosticOf(() => parseState(JSON.stringify(state), "x"));
    expect(detail).toContain(`\`${place}\` must be unique, but acme_thing.one occurs twice`);
  });
});

describe("a file that is not a state of version 4", () => {
  test.each([
    ["", "state_empty"],
    ["  \n", "state_empty"],
    ["secret stuff", "state_not_json"],
    ['{"version": 4, "lineage": "secret', "state_not_json"],
    ["[]", "state_not_json"],
    [
      '{"serial": 1, "lineage": "a", "meta": {}, "encrypted_data": "c2VjcmV0", "encryption_version": "v0"}',
      "state_encrypted",
    ],
    ["{}", "state_damaged"],
    ['{"version": 5, "terraform_version": "3.0.0"}', "state_version_newer"],
    ['{"version": 3, "terraform_version": "0.11.14"}', "state_version_older"],
  ])("reading the file %j as a state fails with %s", async (text, code) => {
    const diagnostic = await diagnosticOf(() => parseState(text, "site.tfstate"));
    expect(diagnostic.code).toBe(code);
    expect(diagnostic.detail).not.toContain("secret");
  });

  test("for a state of a newer format, the error suggests terraform plan", async () => {
    const { detail, action } = await diagnosticOf(() =>
      parseState('{"version": 5, "terraform_version": "3.0.0"}', "site.tfstate"),
    );
    expect(detail).toContain('site.tfstate has format version 5, written by version "3.0.0"');
    expect(action).toEqual({ kind: "other", program: "terraform plan" });
  });

  test("if a state is not valid JSON, the error contains the line and column of the mistake", async () => {
    const text = formatState(sample()).replace('"serial": 0,', '"serial" 0,');
    const { detail } = await diagnosticOf(() => parseState(text, "x"));
    expect(detail).toContain("line 4, column 12");
  });

  test("if the bytes of a state are not UTF-8, reading the state fails", async () => {
    const { code } = await diagnosticOf(() => decodeStateText(Buffer.from([0x7b, 0xff]), "x"));
    expect(code).toBe("state_not_json");
  });
});

test("Steward writes an empty state in Terraform's layout", () => {
  const state = { ...emptyState(), lineage: "aaaa", serial: 3 };
  expect(formatState(state)).toBe(
    '{\n  "version": 4,\n  "terraform_version": "1.11.4",\n  "serial": 3,\n  "lineage": "aaaa",\n' +
      '  "outputs": {},\n  "resources": [],\n  "check_results": null\n}\n',
  );
});

test("formatStateInParts returns a state of 20,000 resources in parts with at most one resource each", () => {
  const [one] = sample().resources;
  const resources = Array.from({ length: 20_000 }, (_, at) => ({
    ...one!,
    name: `n${String(at).padStart(5, "0")}`,
  }));
  const state = { ...sample(), resources };
  const parts = [...formatStateInParts(state)];
  expect(parts).toHaveLength(20_002);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(1000);
  expect(parseState(parts.join(""), "x")).toEqual(state);
});

test("a number that JavaScript can't represent exactly has all its digits in the written state", () => {
  const text = formatState(sample()).replace(
    '"id": "42:production"',
    '"big": 12345678901234567890,\n            "id": "42:production",\n            "small": 0.1234567890123456789',
  );
  const state = parseState(text, "x");
  expect(formatState(state)).toBe(text);
  state.resources[0]!.instances[0]!.attributes["big"] = 7;
  expect(formatState(state)).toContain('"big": 7,');
});

const CONFIGURATION = `
variable "secret" {
  default   = "s3cr<&>t\\u2028\\u0008"
  sensitive = true
}
resource "terraform_data" "counted" {
  count = 12
  input = { n = count.index, token = var.secret, list = ["a", var.secret], "10" = 1, "2" = 2 }
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "keyed" {
  for_each         = { "x y" = 1e100, "b.c" = 0.000000125, "é\\"q$\${x}\\\\\\n" = 12345678901234567890, "\u{1F600}" = 1, "\uFF01" = 2 }
  input            = each.value
  triggers_replace = [var.secret]
  depends_on       = [terraform_data.counted]
}
resource "terraform_data" "broken" {
  input = "half done"
  provisioner "local-exec" { command = "false" }
}
output "secret" {
  value     = var.secret
  sensitive = true
}
output "shape" {
  value = { a = [1, "x", null], type = "t", value = { z = 1, b = true } }
}
check "always" {
  assert {
    condition     = length(terraform_data.counted) == 11
    error_message = "No"
  }
}
`;

describeWith("engine", "a state of the real engine", (program) => {
  const engine = (...args: string[]): string =>
    execFileSync(program, args, {
      cwd: scratch(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, CHECKPOINT_DISABLE: "1" },
    });

  test("Steward reads a state of Terraform and writes exactly the same bytes", () => {
    writeFileSync(scratch("main.tf"), CONFIGURATION);
    engine("init", "-no-color");
    expect(() => engine("apply", "-auto-approve", "-no-color")).toThrow(/local-exec/);
    const text = readFileSync(scratch("terraform.tfstate"), "utf8");
    const state = parseState(text, "terraform.tfstate");
    expect(formatState(state)).toBe(text);
    expect(state.resources.find((one) => one.name === "broken")!.instances[0]!.status).toBe("tainted");

    writeFileSync(scratch("ours.tfstate"), formatState({ ...state, serial: state.serial + 1 }));
    expect(engine("state", "list", "-state=ours.tfstate")).toBe(engine("state", "list"));
    expect(engine("show", "-no-color", "ours.tfstate")).toBe(
      engine("show", "-no-color", "terraform.tfstate"),
    );
  }, 60_000);

  test("Terraform can list and pull a state that Steward wrote", () => {
    writeFileSync(scratch("terraform.tfstate"), formatState({ ...sample(), serial: 7 }));
    expect(engine("state", "list")).toBe("acme_thing.one\n");
    expect(JSON.parse(engine("state", "pull"))).toMatchObject({
      serial: 7,
      outputs: { url: { sensitive: true } },
    });
  }, 60_000);
});
