import { describeChange } from "../../../src/cli/document/describe";
import { strictnessOf } from "../../../src/cli/printing/own-provider";
import { PLAIN } from "../../../src/cli/printing/text";
import { renderObject } from "../../../src/cli/views/resource-change";
import type { ResourceChange } from "../../../src/engine";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { UNKNOWN } from "../../../src/schema";
import { change } from "../support/models";
import { textOf } from "../support/text-of";

const rendered = (parts: Parameters<typeof change>[0]) =>
  `\n${textOf(renderObject(describeChange(change(parts)), PLAIN))}`;

describe("one object of a plan", () => {
  const list = (...targets: string[]) => ({ project: "acme/shop", target_projects: targets });
  test.each([
    [
      "a destroyed list, which is empty then",
      "delete",
      "job_token_allowlist",
      list("acme/a"),
      null,
      "tighter",
    ],
    [
      "a list over values that are not known",
      "create",
      "job_token_allowlist",
      null,
      list("acme/a"),
      "looser",
    ],
    [
      "a limit over a value that is not known",
      "create",
      "job_token_scope",
      null,
      { inbound_enabled: true },
      undefined,
    ],
    [
      "no limit over a value that is not known",
      "create",
      "job_token_scope",
      null,
      { inbound_enabled: false },
      "looser",
    ],
    ["an unprotected environment", "delete", "protected_environment", { name: "a" }, null, "looser"],
  ] as const)("compares the access of %s", (_, action, type, before, after, expected) => {
    const planned = { action, before, after, type: `steward_${type}`, provider: PROVIDER_SOURCE };
    expect(strictnessOf(change(planned as Parameters<typeof change>[0]))).toBe(expected);
  });

  test("a created object shows declared values and those known after apply", () => {
    expect(
      rendered({
        action: "create",
        construct: "app/web/one",
        position: "src/web.ts:7",
        before: null,
        after: {
          id: UNKNOWN,
          project: "acme/shop",
          enabled: true,
          level: null,
          targets: ["acme/b", "acme/a"],
          steps: [],
          rules: [{ user: "ada", count: null }, UNKNOWN],
          note: "first\nsecond\n",
        },
      }),
    ).toBe(`
  # acme_thing.one will be created
  # (construct app/web/one, src/web.ts:7)
  + resource "acme_thing" "one" {
      + enabled = true
      + id      = (known after apply)
      + note    = <<-EOT
            first
            second
        EOT
      + project = "acme/shop"
      + rules   = [
          + {
              + user = "ada"
            },
          + (known after apply),
        ]
      + steps   = []
      + targets = [
          + "acme/b",
          + "acme/a",
        ]
    }
`);
  });

  test("an updated object shows old and new values, its identity, and the number of unchanged attributes", () => {
    expect(
      rendered({
        action: "update",
        before: { id: "7", project: "acme/shop", enabled: true, level: 30, note: null },
        after: { id: "7", project: "acme/shop", enabled: false, level: null, note: "hello" },
      }),
    ).toBe(`
  # acme_thing.one will be updated in-place
  ~ resource "acme_thing" "one" {
      ~ enabled = true -> false
        id      = "7"
      - level   = 30 -> null
      + note    = "hello"
        # (1 unchanged attribute hidden)
    }
`);
  });

  test("shows added, removed and changed elements of a set, whatever the order", () => {
    expect(
      rendered({
        action: "update",
        before: {
          id: "7",
          targets: ["a", "b", "c"],
          rules: [
            { user: "ada", count: 1 },
            { user: "bo", count: 1 },
          ],
        },
        after: {
          id: "7",
          targets: ["c", "d", "a"],
          rules: [
            { user: "bo", count: 2 },
            { count: 1, user: "ada" },
          ],
        },
      }),
    ).toBe(`
  # acme_thing.one will be updated in-place
  ~ resource "acme_thing" "one" {
        id      = "7"
      ~ rules   = [
          ~ {
              ~ count = 1 -> 2
                user  = "bo"
            },
            # (1 unchanged element hidden)
        ]
      ~ targets = [
          - "b",
          + "d",
            # (2 unchanged elements hidden)
        ]
    }
`);
  });

  test("compares lists by position and texts by line", () => {
    expect(
      rendered({
        action: "update",
        before: { steps: ["build", "test", "ship"], note: "one\ntwo\nthree\n" },
        after: { steps: ["build", "check", "ship"], note: "one\n2\nthree\n" },
      }),
    ).toBe(`
  # acme_thing.one will be updated in-place
  ~ resource "acme_thing" "one" {
      ~ note  = <<-EOT
            one
          - two
          + 2
            three
        EOT
      ~ steps = [
          ~ "test" -> "check",
            # (2 unchanged elements hidden)
        ]
    }
`);
  });

  test("an object that must be replaced shows the attribute that forces replacement", () => {
    expect(
      rendered({
        action: "delete-then-create",
        reason: "replace_because_cannot_update",
        replacePaths: [["project"], ["targets"]],
        before: { id: "7", project: "acme/shop", targets: ["a"] },
        after: { id: UNKNOWN, project: "acme/docs", targets: UNKNOWN },
      }),
    ).toBe(`
  # acme_thing.one must be replaced
-/+ resource "acme_thing" "one" {
      ~ id      = "7" -> (known after apply)
      ~ project = "acme/shop" -> "acme/docs" # forces replacement
      ~ targets = [
          - "a",
        ] -> (known after apply) # forces replacement
    }
`);
  });

  test("an object that is destroyed because of the configuration shows the reason", () => {
    expect(
      rendered({
        address: 'acme_thing.one["eu"]',
        indexKey: "eu",
        action: "delete",
        reason: "delete_because_each_key",
        before: { id: "7", project: "acme/shop", rules: [{ user: "ada", count: 1 }] },
        after: null,
      }),
    ).toBe(`
  # acme_thing.one["eu"] will be destroyed
  # (because key ["eu"] is not in for_each map)
  - resource "acme_thing" "one" {
      - id      = "7" -> null
      - project = "acme/shop" -> null
      - rules   = [
          - {
              - count = 1
              - user  = "ada"
            },
        ] -> null
    }
`);
  });

  test("a data source is shown as read during apply", () => {
    expect(
      rendered({
        address: "data.acme_thing.one",
        mode: "data",
        action: "read",
        reason: "read_because_config_unknown",
        before: null,
        after: { project: UNKNOWN },
      }),
    ).toBe(`
  # data.acme_thing.one will be read during apply
  # (config refers to values not yet known)
 <= data "acme_thing" "one" {
      + project = (known after apply)
    }
`);
  });
});

describe("a sensitive value", () => {
  const SECRETS = ["s3cret-before", "s3cret-after"] as const;

  test("a sensitive value is hidden if the schema or a path of the plan marks it, also below that path", () => {
    expect(
      rendered({
        action: "update",
        beforeSensitive: [["note"]],
        afterSensitive: [["steps"]],
        before: { secret: SECRETS[0], note: SECRETS[0], steps: [SECRETS[0]] },
        after: { secret: SECRETS[1], note: SECRETS[1], steps: [SECRETS[1]] },
      }),
    ).toBe(`
  # acme_thing.one will be updated in-place
  ~ resource "acme_thing" "one" {
      ~ note   = (sensitive value)
      ~ secret = (sensitive value)
      ~ steps  = (sensitive value)
    }
`);
  });

  test("in one element hides the whole set, since elements have no position", () => {
    const text = rendered({
      action: "update",
      beforeSensitive: [["rules", 0, "user"]],
      before: { rules: [{ user: SECRETS[0], count: 1 }] },
      after: { rules: [{ user: SECRETS[1], count: 1 }] },
    });
    expect(text).toContain("~ rules = (sensitive value)");
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  });
});

test("control characters in text from the service are escaped", () => {
  const evil: ResourceChange = change({
    action: "create",
    before: null,
    after: { note: "\u001b[31mred", project: "a\u202eb\u0007", steps: ["\u009b2J\nx"] },
  });
  const text = textOf(renderObject(describeChange(evil), PLAIN));
  expect(text).toContain('"\\u001b[31mred"');
  expect(text).toContain('"a\\u202eb\\u0007"');
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

describe("an object", () => {
  test.each([
    [
      "that is only moved",
      { action: "no-op", previousAddress: "acme_thing.old" },
      [
        "  # acme_thing.old has moved to acme_thing.one (the same object, id 1)",
        '    resource "acme_thing" "one" {',
      ],
    ],
    [
      "that is moved and changed",
      { action: "update", previousAddress: "acme_thing.old" },
      [
        "  # acme_thing.one will be updated in-place",
        "  # acme_thing.old has moved to acme_thing.one (the same object, id 1)",
        '  ~ resource "acme_thing" "one" {',
      ],
    ],
    [
      "that is declared at another address",
      { action: "forget", sameAs: "acme_thing.two" },
      [
        "  # acme_thing.one will no longer be managed by Steward, but will not be destroyed",
        "  # (acme_thing.two declares the same object, so it is kept)",
        '  . resource "acme_thing" "one" {',
      ],
    ],
    [
      "that is only imported",
      { action: "no-op", importing: { id: "7" } },
      [
        "  # acme_thing.one will be imported",
        '  # (imported from "7")',
        '    resource "acme_thing" "one" {',
        '        id      = "1"',
        '        project = "acme/shop"',
        "    }",
      ],
    ],
    [
      "that is imported and replaced",
      { action: "delete-then-create", importing: { id: "7" } },
      [
        "  # acme_thing.one must be replaced",
        '  # (imported from "7")',
        "  # Warning: this will destroy the imported object",
        '-/+ resource "acme_thing" "one" {',
      ],
    ],
    [
      "that is forgotten",
      { action: "forget", after: null, reason: "delete_because_no_resource_config" },
      [
        "  # acme_thing.one will no longer be managed by Steward, but will not be destroyed",
        "  # (destroy = false is set in the configuration)",
        '  . resource "acme_thing" "one" {',
        '        id = "1"',
        "        # (1 unchanged attribute hidden)",
        "    }",
      ],
    ],
  ] as const)("%s is described in a comment", (_what, parts, lines) => {
    const same = { id: "1", project: "acme/shop" };
    const text = rendered({ before: same, after: same, ...parts });
    expect(text.split("\n").slice(1, lines.length + 1)).toEqual(lines);
  });
});
