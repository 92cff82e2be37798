import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stateView } from "../../../src/engine/plan-json/state-json";
import { parseState } from "../../../src/state/format/file-format";
import { emptyState, type InstanceState, type State } from "../../../src/state/model/model";
import { useScratchFolder } from "../../state/scratch";
import { describeWith } from "../../support/capabilities";

const scratch = useScratchFolder();

const instance = (change: Partial<InstanceState>): InstanceState => ({
  schemaVersion: 0,
  attributes: {},
  sensitivePaths: [],
  dependencies: [],
  ...change,
});

const withInstances = (...instances: InstanceState[]): State => ({
  ...emptyState(),
  resources: [
    {
      mode: "managed",
      type: "acme_thing",
      name: "one",
      module: 'module.web["a.b"].module.inner',
      provider: 'module.web.provider["registry.example/acme/acme"].eu',
      instances,
    },
  ],
});

const NOTHING_MORE = () => [];

/** Returns the root module in the JSON view of a state. */
const rootOf = (...[state, sensitive]: Parameters<typeof stateView>) =>
  JSON.parse(JSON.stringify(stateView(state, sensitive))).values.root_module;

test("the JSON of an empty state contains no values", () => {
  expect(stateView(emptyState(), NOTHING_MORE)).toEqual({ format_version: "1.0" });
});

test("the JSON of a state contains deposed and tainted objects, and modules nested by address", () => {
  const state = withInstances(
    instance({ indexKey: "x", status: "tainted", dependencies: ["acme_other.two"] }),
    instance({ indexKey: "x", deposed: "0123abcd" }),
  );
  const address = 'module.web["a.b"].module.inner.acme_thing.one["x"]';
  const base = { address, mode: "managed", type: "acme_thing", name: "one", index: "x", schema_version: 0 };
  const shown = { ...base, provider_name: "registry.example/acme/acme", values: {}, sensitive_values: {} };
  expect(rootOf(state, NOTHING_MORE)).toEqual({
    child_modules: [
      {
        address: 'module.web["a.b"]',
        child_modules: [
          {
            address: 'module.web["a.b"].module.inner',
            resources: [
              { ...shown, depends_on: ["acme_other.two"], tainted: true },
              { ...shown, deposed_key: "0123abcd" },
            ],
          },
        ],
      },
    ],
  });
});

test("the JSON of a state masks each value that the state or the schema marks as sensitive", () => {
  const attributes = {
    plain: 1,
    token: "t",
    set: ["a"],
    none: null,
    nested: { list: [1, { key: "k", other: 2 }] },
  };
  const state = withInstances(
    instance({
      attributes,
      sensitivePaths: [
        [{ attribute: "set" }, { index: { x: 1 }, type: ["object", { x: "number" }] }],
        [{ attribute: "none" }, { attribute: "inside" }],
        [{ attribute: "nested" }, { attribute: "list" }, { index: 1 }, { attribute: "key" }],
        [{ attribute: "vanished" }],
      ],
    }),
  );
  const [module] = rootOf(state, () => [[{ attribute: "token" }]]).child_modules;
  expect(module.child_modules[0].resources[0].sensitive_values).toEqual({
    token: true,
    set: true,
    none: true,
    nested: { list: [false, { key: true }] },
  });
});

const CONFIGURATION = `
variable "secret" {
  default   = "s3cret"
  sensitive = true
}
resource "terraform_data" "counted" {
  count = 11
  triggers_replace = [var.secret, count.index]
}
resource "terraform_data" "keyed" {
  for_each   = toset(["a b", "quo\\"te$\${x}%%{y}\\\\\\n\\u200b"])
  depends_on = [terraform_data.counted]
}
module "inner" {
  for_each = toset(["x.y"])
  source   = "./inner"
}
output "secret" {
  value     = var.secret
  sensitive = true
}
`;

describeWith("engine", "the shape of the real engine's show -json", (program) => {
  test("the JSON of a state equals Terraform's JSON of the same state", () => {
    const engine = (...args: string[]): string =>
      execFileSync(program, args, {
        cwd: scratch(),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, CHECKPOINT_DISABLE: "1" },
      });
    mkdirSync(scratch("inner"));
    writeFileSync(scratch("main.tf"), CONFIGURATION);
    writeFileSync(scratch("inner", "main.tf"), 'resource "terraform_data" "one" {}\n');
    engine("init", "-no-color");
    engine("apply", "-auto-approve", "-no-color");
    const state = parseState(readFileSync(scratch("terraform.tfstate"), "utf8"), "terraform.tfstate");
    const theirs = JSON.parse(engine("show", "-json")) as {
      values: { root_module: { resources: object[] } };
    };
    const ours = JSON.parse(JSON.stringify(stateView(state, NOTHING_MORE))) as unknown;
    expect(ours).toEqual(theirs);
  }, 60_000);
});
