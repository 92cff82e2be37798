import { TypeScriptSource } from "../../../src/adopt/accept/typescript-source";
import { createProvider } from "../../../src/provider";
import type { Value, ValueObject } from "../../../src/schema";

// `drift --accept` writes a live value into TypeScript. The command changes only the bytes of the value, and only if the
// code contains the declared value literally.

const { resources } = createProvider().schema;

interface Setting {
  readonly type: string;
  readonly attribute: string;
  readonly construct: string;
  readonly object: ValueObject;
}

const LEVELS: Setting = {
  type: "steward_protected_environment",
  attribute: "deploy_access_levels",
  construct: "ProtectedEnvironment",
  object: { project: "acme/web", name: "production" },
};
const PUSH: Setting = {
  type: "steward_container_protection_rule",
  attribute: "minimum_access_level_for_push",
  construct: "ContainerProtectionRule",
  object: { project: "acme/web", repository_path_pattern: "acme/web/*" },
};
const INBOUND: Setting = {
  type: "steward_job_token_scope",
  attribute: "inbound_enabled",
  construct: "JobTokenScope",
  object: { project: "acme/web" },
};

const HEAD = [
  'import { TerraformStack } from "cdktf";',
  'import { AccessLevel, ContainerAccessLevel } from "cdktf-provider-steward";',
  "const levels = [{ accessLevel: 40 }];",
];

/**
 * Accepts a value of the construct in the given lines. Returns all lines of the file, and the reason why the value stayed
 * unchanged, if it did.
 */
function accept(setting: Setting, lines: readonly string[], declared: Value, live: Value, objects = 1) {
  const { type, attribute, object } = setting;
  const all = [...HEAD, ...lines];
  const source = new TypeScriptSource(all.join("\n"), "main.ts");
  const schema = resources[type]!.attributes[attribute]!;
  const line = all.findIndex((one) => one.includes("new ")) + 1;
  const left = source.accept({ type, attribute, schema, declared, live, object, line, objects });
  return { left, lines: source.text.split("\n") };
}

const declaration = ({ construct }: Setting, config: string) =>
  config === "" ? `new ${construct}(stack, "it", {  });` : `new ${construct}(stack, "it", { ${config} });`;
const level = (access_level: number | null, user: string | null = null): ValueObject => ({
  access_level,
  user,
  group: null,
  group_inheritance_type: null,
});
const MAYA = level(null, "maya");

test.each<[string, Setting, string, Value, Value, string]>([
  ["a boolean", INBOUND, "inboundEnabled: true", true, false, "inboundEnabled: false"],
  ["the only setting that was removed", INBOUND, "inboundEnabled: true", true, null, ""],
  ["a removed last setting", INBOUND, 'project: "a", inboundEnabled: true', true, null, 'project: "a"'],
  ["a removed first setting", INBOUND, 'inboundEnabled: true, project: "a"', true, null, 'project: "a"'],
  [
    "a text",
    PUSH,
    'minimumAccessLevelForPush: "owner"',
    "owner",
    "maintainer",
    "minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER",
  ],
  [
    "a template without an expression",
    PUSH,
    "minimumAccessLevelForPush: `owner`",
    "owner",
    "maintainer",
    "minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER",
  ],
  [
    "a member of an enumeration",
    PUSH,
    "minimumAccessLevelForPush: ContainerAccessLevel.OWNER",
    "owner",
    "maintainer",
    "minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER",
  ],
  [
    "a replaced element",
    LEVELS,
    'deployAccessLevels: [{ accessLevel: 40 }, { user: "maya" }]',
    [level(40), MAYA],
    [level(30), MAYA],
    'deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }, { user: "maya" }]',
  ],
  [
    "a removed element",
    LEVELS,
    'deployAccessLevels: [{ accessLevel: 40 }, { user: "maya" }]',
    [level(40), MAYA],
    [MAYA],
    'deployAccessLevels: [{ user: "maya" }]',
  ],
  [
    "added elements",
    LEVELS,
    "deployAccessLevels: [{ accessLevel: 40 }]",
    [level(40)],
    [level(40), MAYA, level(60)],
    'deployAccessLevels: [{ accessLevel: 40 }, { accessLevel: AccessLevel.ADMIN }, { user: "maya" }]',
  ],
  [
    "no element",
    LEVELS,
    "deployAccessLevels: [{ accessLevel: 40 }]",
    [level(40)],
    [],
    "deployAccessLevels: []",
  ],
  [
    "the first element",
    LEVELS,
    "deployAccessLevels: []",
    [],
    [level(40)],
    "deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }]",
  ],
])(
  "drift --accept writes the live value into TypeScript code: %s",
  (_, setting, before, declared, live, after) => {
    const { left, lines } = accept(setting, [declaration(setting, before)], declared, live);
    expect(left).toBeUndefined();
    expect(lines).toEqual([...HEAD, declaration(setting, after)]);
  },
);

test.each<[string, Setting, Value, Value, string]>([
  ["inboundEnabled: isOn", INBOUND, true, false, "inboundEnabled is not a literal value"],
  ["inboundEnabled", INBOUND, true, false, "inboundEnabled is not a literal value"],
  ["inboundEnabled: !true", INBOUND, true, false, "inboundEnabled is not a literal value"],
  ["other: 1", INBOUND, true, false, "inboundEnabled is not written on that line"],
  ["inboundEnabled: true", INBOUND, false, true, "inboundEnabled is overridden elsewhere"],
  [
    "minimumAccessLevelForPush: `${role}`",
    PUSH,
    "owner",
    "maintainer",
    "minimumAccessLevelForPush is not a literal value",
  ],
  [
    "minimumAccessLevelForPush: ContainerAccessLevel[role]",
    PUSH,
    "owner",
    "maintainer",
    "minimumAccessLevelForPush is not a literal value",
  ],
  [
    "minimumAccessLevelForPush: ContainerAccessLevel.ADMIN",
    PUSH,
    "owner",
    "maintainer",
    "minimumAccessLevelForPush is overridden elsewhere",
  ],
  [
    "deployAccessLevels: [...levels]",
    LEVELS,
    [level(40)],
    [MAYA],
    "deployAccessLevels is not a literal value",
  ],
  [
    "deployAccessLevels: [{ accessLevel }]",
    LEVELS,
    [level(40)],
    [MAYA],
    "deployAccessLevels is not a literal value",
  ],
  [
    "deployAccessLevels: levels",
    LEVELS,
    [level(40)],
    [MAYA],
    "deployAccessLevels is levels, which other declarations may use: change line 3",
  ],
])("drift --accept does not change { %s } in TypeScript code", (config, setting, declared, live, why) => {
  const lines = [declaration(setting, config)];
  expect(accept(setting, lines, declared, live)).toEqual({ left: why, lines: [...HEAD, ...lines] });
});

test("if a construct is in a loop, drift --accept does not change the construct", () => {
  const lines = [declaration(INBOUND, "inboundEnabled: true")];
  const several = { left: "3 objects come from this line", lines: [...HEAD, ...lines] };
  expect(accept(INBOUND, lines, true, false, 3)).toEqual(several);
  const loop = ["for (const project of all)", `  ${lines[0]}`];
  expect(accept(INBOUND, loop, true, false)).toEqual({ left: "it is in a loop", lines: [...HEAD, ...loop] });
});

test("if the new value is a member of ContainerAccessLevel, drift --accept adds the import of this enumeration", () => {
  const setting = { ...PUSH, construct: "ContainerProtectionRule" };
  const line = declaration(setting, 'minimumAccessLevelForPush: "owner"');
  const head = 'import { ContainerProtectionRule } from "cdktf-provider-steward";';
  const source = new TypeScriptSource(`${head}\n${line}`, "main.ts");
  const schema = resources[PUSH.type]!.attributes[PUSH.attribute]!;
  const value = { ...PUSH, schema, declared: "owner", live: "maintainer", line: 2, objects: 1 };
  expect(source.accept(value)).toBeUndefined();
  expect(source.text.split("\n")[0]).toBe(
    'import { ContainerAccessLevel, ContainerProtectionRule } from "cdktf-provider-steward";',
  );
});

describe("drift --accept for a loop that creates one construct per element of a list", () => {
  const body = (config: string) => `new JobTokenScope(stack, "it", { ${config} })`;
  const loops: readonly [string, string, string][] = [
    [
      "for … of over lists",
      'for (const [project, inboundEnabled] of [["acme/web", true], ["acme/api", true]])',
      body("project, inboundEnabled"),
    ],
    [
      "for … of over objects",
      'for (const one of [{ path: "acme/web", limit: true }, { path: "acme/api", limit: true }])',
      body("project: one.path, inboundEnabled: one.limit"),
    ],
    [
      "a path in parts",
      'for (const { name, limit } of [{ name: "web", limit: true }, { name: "api", limit: true }] as const)',
      body("project: `acme/${name}`, inboundEnabled: limit"),
    ],
    [
      "Object.entries",
      'for (const [project, { limit }] of Object.entries({ "acme/web": { limit: true }, "acme/api": { limit: true } }))',
      body("project, inboundEnabled: limit"),
    ],
    [
      "forEach",
      '[["acme/web", true]].forEach(([project, limit]) =>',
      `${body("project, inboundEnabled: limit")})`,
    ],
    [
      "map",
      '[{ project: "acme/web", limit: true }].map(({ project, limit }) =>',
      `${body("project, inboundEnabled: limit")})`,
    ],
    [
      "a table with a spread",
      'for (const [project, limit] of [["acme/web", true], ...others])',
      body("project, inboundEnabled: limit"),
    ],
  ];

  test.each(loops)(
    "drift --accept changes only the value of the drifted project in the list of the loop: %s",
    (_, loop, line) => {
      const { left, lines } = accept(INBOUND, [loop, line], true, false, 2);
      expect(left).toBeUndefined();
      expect(lines).toEqual([...HEAD, loop.replace("true", "false"), line]);
    },
  );

  test("if the list of the loop is a constant, drift --accept changes the value in this constant", () => {
    const all = [
      'const TABLE = [["acme/web", true], ["acme/api", true]] as const;',
      "for (const [project, limit] of TABLE)",
    ];
    const { left, lines } = accept(INBOUND, [...all, body("project, inboundEnabled: limit")], true, false, 2);
    expect(left).toBeUndefined();
    expect(lines[HEAD.length]).toBe('const TABLE = [["acme/web", false], ["acme/api", true]] as const;');
  });

  test.each([
    [
      "for (const [project, limit] of tableOf(1))",
      body("project, inboundEnabled: limit"),
      "it is in a loop over the result of tableOf(…)",
    ],
    [
      "for (const [project, limit] of [...others])",
      body("project, inboundEnabled: limit"),
      "no row of its loop declares this object, which also has ...others",
    ],
    [
      'for (const [project, limit] of [["acme/web", limitOf("web")]])',
      body("project, inboundEnabled: limit"),
      "inboundEnabled is the result of limitOf(…)",
    ],
    [
      'for (const project of ["acme/web", "acme/api"])',
      body("project, inboundEnabled: true"),
      "inboundEnabled is the same for all rows of its loop",
    ],
    [
      'for (const [project, rest] of [["acme/web", { limit: true }]])',
      body("project, ...rest"),
      "inboundEnabled may come from ...rest",
    ],
    [
      'for (const [project, limit] of [["acme/web", true], ["acme/web", true]])',
      body("project, inboundEnabled: limit"),
      "more than one row of its loop declares this object",
    ],
    [
      'for (const [project, limit] of [["acme/web", false]])',
      body("project, inboundEnabled: limit"),
      "inboundEnabled is overridden elsewhere",
    ],
  ])("drift --accept does not change the loop %s", (loop, line, why) => {
    expect(accept(INBOUND, [loop, line], true, false, 2)).toEqual({
      left: why,
      lines: [...HEAD, loop, line],
    });
  });
});
