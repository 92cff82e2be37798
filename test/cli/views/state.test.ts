import { Channel } from "../../../src/cli/terminal/terminal";
import { renderState, writeStateJson } from "../../../src/cli/views/state";
import { emptyState, type State } from "../../../src/state/model/model";
import { ATTRIBUTES } from "../support/models";
import { textOf } from "../support/text-of";

const state: State = {
  ...emptyState(),
  outputs: {
    url: { value: "https://acme.example", type: "string", sensitive: false },
    token: { value: "hidden-output", type: "string", sensitive: true },
    sizes: { value: { b: [1, 2], a: {} }, type: "dynamic", sensitive: false },
  },
  resources: [
    {
      mode: "managed",
      type: "acme_thing",
      name: "one",
      provider: 'provider["registry.example/acme/acme"]',
      instances: [
        {
          indexKey: "eu",
          status: "tainted",
          schemaVersion: 0,
          attributes: { id: "7", level: null, note: "hidden-note", secret: "hidden-secret", targets: ["a"] },
          sensitivePaths: [[{ attribute: "note" }]],
          dependencies: [],
        },
      ],
    },
  ],
};

describe("a state", () => {
  test("`show --json` of a state prints check results in the format of `terraform show -json`", () => {
    const checkResults = [
      {
        object_kind: "check",
        config_addr: "check.size",
        status: "fail",
        objects: [{ object_addr: "check.size", status: "fail", failure_messages: ["too large"] }],
      },
      {
        object_kind: "resource",
        config_addr: "acme_thing.one",
        status: "pass",
        objects: [{ object_addr: 'acme_thing.one["eu"]', status: "pass" }],
      },
      { object_kind: "output", config_addr: "output.url", status: "unknown", objects: null },
    ];
    let text = "";
    const schema = { version: 0, description: "", attributes: ATTRIBUTES };
    writeStateJson({ ...state, checkResults }, () => schema, {
      out: new Channel((part) => {
        text += part;
      }),
    });
    expect(JSON.parse(text).checks).toEqual([
      {
        address: { kind: "check", name: "size", to_display: "check.size" },
        status: "fail",
        instances: [
          { address: { to_display: "check.size" }, status: "fail", problems: [{ message: "too large" }] },
        ],
      },
      {
        address: {
          kind: "resource",
          mode: "managed",
          type: "acme_thing",
          name: "one",
          to_display: "acme_thing.one",
        },
        status: "pass",
        instances: [{ address: { to_display: 'acme_thing.one["eu"]', instance_key: "eu" }, status: "pass" }],
      },
      { address: { kind: "output_value", name: "url", to_display: "output.url" }, status: "unknown" },
    ]);
  });

  test("the text of a state hides sensitive values of objects and outputs", () => {
    const schema = { version: 0, description: "", attributes: ATTRIBUTES };
    expect(`\n${textOf(renderState(state, () => schema))}`).toBe(`
# acme_thing.one["eu"]: (tainted)
resource "acme_thing" "one" {
    id      = "7"
    note    = (sensitive value)
    secret  = (sensitive value)
    targets = [
        "a",
    ]
}

Outputs:

sizes = {
  a = {}
  b = [
    1,
    2,
  ]
}
token = <sensitive>
url = "https://acme.example"
`);
  });

  test.each([
    [
      "an element of a list",
      [{ attribute: "steps" }, { index: 1 }],
      'steps   = [\n        "open",\n        (sensitive value),',
    ],
    ["an element of a set", [{ attribute: "targets" }, { index: "hidden" }], "targets = (sensitive value)"],
    [
      "a field of a set's element",
      [{ attribute: "rules" }, { index: { user: "hidden" } }, { attribute: "user" }],
      "rules   = (sensitive value)",
    ],
  ])(
    "if %s is sensitive, the shown state hides this value or the value that contains it",
    (_, path, expected) => {
      const attributes = { steps: ["open", "hidden"], targets: ["hidden"], rules: [{ user: "hidden" }] };
      const instance = { schemaVersion: 0, attributes, sensitivePaths: [path], dependencies: [] };
      const one: State = { ...emptyState(), resources: [{ ...state.resources[0]!, instances: [instance] }] };
      expect(
        textOf(renderState(one, () => ({ version: 0, description: "", attributes: ATTRIBUTES }))),
      ).toContain(expected);
    },
  );

  test("if a state has no objects and outputs, Steward prints that the state is empty", () => {
    expect(renderState(emptyState(), () => undefined)).toEqual(["The state is empty."]);
  });
});
