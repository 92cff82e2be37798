import fc from "fast-check";
import { instanceAddress, parseAddress } from "../../../src/language/addresses/address";
import { anyState } from "../../state/arbitrary-state";

test("parseAddress returns the type, name, module and key of any instance's address", () => {
  fc.assert(
    fc.property(anyState, ({ resources }) => {
      for (const { mode, type, name, module, instances } of resources) {
        if (type === "data" || type === "module") continue;
        for (const { indexKey } of instances) {
          const parts = {
            mode,
            type,
            name,
            ...(module && { module }),
            ...(indexKey !== undefined && { indexKey }),
          };
          expect(parseAddress(instanceAddress(parts, parts))).toEqual(parts);
        }
      }
    }),
  );
});

test("parseAddress decodes the escapes in a key as HCL does", () => {
  expect(parseAddress('a.b["$${x} %%{y} \\u00e9\\U0001f600\\t\\"\\\\ $$"]')).toMatchObject({
    indexKey: '${x} %{y} é😀\t"\\ $$',
  });
  expect(parseAddress("a.b[12]")).toMatchObject({ indexKey: 12 });
});

test("parseAddress returns no type and no name for the address of a module", () => {
  expect(parseAddress('module.a.module.b["x.y"]')).toEqual({ module: 'module.a.module.b["x.y"]' });
});

test.each([
  "",
  "a",
  "data.b",
  "a.b.c",
  "a.b[x]",
  "a.b[1",
  'a.b["x]',
  "module.a.b",
  "data.data.b",
  "a.b ",
  "1.b",
])("%j is not a valid address", (text) => expect(parseAddress(text)).toBeUndefined());
