import * as fc from "fast-check";
import { createProvider } from "../../src/provider";
import { schemaJson, UNKNOWN, type Value } from "../../src/schema";
import { runs, seed } from "../support/capabilities";

const provider = createProvider();
const call = (name: string, ...args: readonly Value[]) => provider.callFunction!(name, args);

const LEVELS = {
  no_access: 0,
  minimal_access: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
};

test.each(Object.entries(LEVELS))(
  "access_level and access_level_name convert between %j and %j",
  (name, level) => {
    expect(call("access_level", name)).toEqual({ result: level });
    expect(call("access_level_name", level)).toEqual({ result: name });
  },
);

test.each(["Maintainer", "MAINTAINER", " maintainer "])("access_level accepts %j", (name) => {
  expect(call("access_level", name)).toEqual({ result: 40 });
});

test.each(["No access", "NO_ACCESS", "no-access"])(
  "access_level returns 0, the level of no_access, for %j",
  (name) => {
    expect(call("access_level", name)).toEqual({ result: 0 });
  },
);

test("if the name for access_level is misspelled, the error points at the argument and lists the valid names", () => {
  expect(call("access_level", "maintainr")).toEqual({
    error: {
      text:
        '"maintainr" is not the name of an access level. The names are no_access (0), minimal_access (5), guest (10), ' +
        "planner (15), reporter (20), security_manager (25), developer (30), maintainer (40), owner (50), admin (60).",
      argument: 0,
    },
  });
});

test.each([41, -40, 40.5, 0.1])(
  "access_level_name refuses the number %j with an error that lists the valid numbers",
  (level) => {
    expect(call("access_level_name", level)).toEqual({
      error: {
        text:
          `${level} is not an access level. The access levels are 0 (no_access), 5 (minimal_access), 10 (guest), ` +
          "15 (planner), 20 (reporter), 25 (security_manager), 30 (developer), 40 (maintainer), 50 (owner), 60 (admin).",
        argument: 0,
      },
    });
  },
);

test.each([
  ["42", { container_id: "42", key: null }],
  ["42:production", { container_id: "42", key: "production" }],
  ["42:eu:west", { container_id: "42", key: "eu:west" }],
  ["42:eve@example.com", { container_id: "42", key: "eve@example.com" }],
  ["7:a\nb", { container_id: "7", key: "a\nb" }],
])("parse_id(%j) returns %j", (id, parts) => {
  expect(call("parse_id", id)).toEqual({ result: parts });
});

test.each(["", ":production", "42:", "acme/web:production", "0", "042", "4 2", "42 ", "-1", "1e3"])(
  "parse_id refuses %j, which is not an id",
  (id) => {
    expect(call("parse_id", id)).toMatchObject({
      error: {
        text: expect.stringContaining(`${JSON.stringify(id)} is not the id of a resource.`),
        argument: 0,
      },
    });
  },
);

test("parse_id splits any id into the container's id and the key", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.option(fc.string({ minLength: 1 })), (container, key) => {
      const id = key === null ? String(container) : `${container}:${key}`;
      expect(call("parse_id", id)).toEqual({ result: { container_id: String(container), key } });
    }),
    { numRuns: runs(200, 5000), seed },
  );
});

test("if an argument is unknown, every function returns an unknown result", () => {
  for (const name of Object.keys(provider.schema.functions!)) {
    expect(call(name, UNKNOWN)).toEqual({ result: UNKNOWN });
    expect(call(name, null)).toEqual({
      error: { text: expect.stringMatching(/^The argument \w+ must not be null\.$/), argument: 0 },
    });
  }
});

test("if the number of arguments is wrong, the error names the parameters", () => {
  const text = "The function parse_id takes 1 argument (id), not 2.";
  expect(call("parse_id", "42", "43")).toEqual({ error: { text } });
});

test("a call of a function that is not in the schema throws an error", () => {
  expect(() => call("nothing")).toThrow("nothing, which is not in the provider's schema");
});

test("the provider's schema in JSON contains the summary, the parameters and the return type of functions", () => {
  const [schema] = Object.values(schemaJson(provider.schema).provider_schemas);
  expect(schema!.functions).toMatchObject({
    access_level: {
      summary: "The number of an access level",
      return_type: "number",
      parameters: [{ name: "name", type: "string" }],
    },
    access_level_name: { return_type: "string", parameters: [{ name: "level", type: "number" }] },
    parse_id: {
      return_type: ["object", { container_id: "string", key: "string" }],
      parameters: [{ name: "id", type: "string" }],
    },
  });
});
