import { ExtData } from "@msgpack/msgpack";
import type { Provider } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import { computed, optional } from "../../src/schema";
import { dynamic, type PluginClient, plain } from "./support/plugin-client";
import { useServed } from "./support/served";

const served = useServed();
const unknown = new ExtData(0, new Uint8Array([0]));

async function call(client: PluginClient, name: string, ...args: readonly unknown[]) {
  const { result, error } = await client.call("CallFunction", { name, arguments: args.map(dynamic) });
  return error === undefined ? { result: plain(result) } : { error };
}

test("a provider function returns its result even before ConfigureProvider", async () => {
  const client = (await served.serve())();
  expect(await call(client, "access_level", "maintainer")).toEqual({ result: "40" });
  expect(await call(client, "access_level_name", 40)).toEqual({ result: "maintainer" });
  expect(await call(client, "parse_id", "42:production")).toEqual({
    result: { container_id: "42", key: "production" },
  });
  expect(await call(client, "parse_id", "42")).toEqual({ result: { container_id: "42", key: null } });
});

test("GetFunctions returns the types of a function's parameters and result", async () => {
  const client = (await served.serve())();
  const { functions } = await client.call("GetFunctions", {});
  const { parameters, return: returned, ...text } = functions["parse_id"]!;
  expect(parameters).toMatchObject([
    { name: "id", allowNullValue: false, allowUnknownValues: false, descriptionKind: "MARKDOWN" },
  ]);
  expect(Buffer.from(parameters[0]!.type).toString()).toBe('"string"');
  expect(Buffer.from(returned!.type).toString()).toBe('["object",{"container_id":"string","key":"string"}]');
  expect(text).toMatchObject({ summary: "The parts of the id of a resource", descriptionKind: "MARKDOWN" });
});

test("if the argument of a provider function is unknown, the result is unknown", async () => {
  const client = (await served.serve())();
  for (const name of ["access_level", "access_level_name", "parse_id"])
    expect(await call(client, name, unknown)).toEqual({ result: unknown });
});

test("a provider function refuses an invalid argument, a null argument and a wrong number of arguments", async () => {
  const client = (await served.serve())();
  expect(await call(client, "access_level", "boss")).toEqual({
    error: {
      text: expect.stringContaining('"boss" is not the name of an access level.'),
      functionArgument: 0,
    },
  });
  expect(await call(client, "access_level", null)).toEqual({
    error: { text: "The argument name must not be null.", functionArgument: 0 },
  });
  expect(await call(client, "access_level")).toEqual({
    error: { text: "The function access_level takes 1 argument (name), not 0.", functionArgument: undefined },
  });
  expect(await call(client, "access_level", "guest", "owner")).toEqual({
    error: { text: "The function access_level takes 1 argument (name), not 2.", functionArgument: undefined },
  });
  expect(await call(client, "nothing")).toEqual({
    error: { text: "This provider has no function nothing.", functionArgument: undefined },
  });
});

test("if a function's numeric argument has too many digits, the error points at the argument", async () => {
  const client = (await served.serve())();
  expect(await call(client, "access_level_name", "40.00000000000000000001")).toEqual({
    error: { text: expect.stringContaining("too many digits"), functionArgument: 0 },
  });
});

test("an argument with control characters stays on one line of the error", async () => {
  const client = (await served.serve())();
  const { error } = await call(client, "parse_id", "4\u001b[2J\u202e\n2");
  expect(error!.text).toContain("is not the id of a resource");
  expect(error!.text).not.toMatch(/\p{Cc}|\u202e/u);
});

test("after an internal error of a provider function, the connection stays open", async () => {
  const own = createProvider();
  const broken: Provider = {
    ...own,
    schema: {
      ...own.schema,
      functions: {
        broken: {
          summary: "",
          description: "",
          parameters: { any: optional.string({ description: "" }) },
          returns: computed.string({ description: "" }),
        },
      },
    },
    callFunction: () => {
      throw new TypeError("x is not a function");
    },
  };
  const client = (await served.serve(broken))();
  const { functions } = await client.call("GetFunctions", {});
  expect(functions["broken"]!.parameters).toMatchObject([{ allowNullValue: true }]);
  expect(await call(client, "broken", null)).toEqual({
    error: { text: expect.stringContaining("x is not a function"), functionArgument: undefined },
  });
});
